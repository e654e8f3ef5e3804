// Domains, and what has been named in each: categories and registered texts. The same name gives
// the same handle, so that a program that registers again and again doesn't grow. Nothing is
// forgotten, because handles are in variables of the program that nobody knows.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/nvtx/nvtx.h"

struct nvtxStringRegistration_st {
    struct nvtxStringRegistration_st *next;
    uint32_t number; ///< of a category
    char text[];
};

struct nvtxDomainRegistration_st {
    struct nvtxDomainRegistration_st *next;
    struct nvtxStringRegistration_st *categories, *strings;
    char *name; ///< NULL: the default domain
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct nvtxDomainRegistration_st default_domain;

static nvtxDomainHandle_t domain_of(nvtxDomainHandle_t domain) {
    return domain ? domain : &default_domain;
}

// Four bytes a character at most, as UTF-8 has them.
static char *put_character(char *out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *out++ = (char)((0xff00 >> (more + 1) & 0xff) | c >> 6 * more);
    while (more-- > 0)
        *out++ = (char)(0x80 | (c >> 6 * more & 0x3f));
    return out;
}

char *gcl_nvtx_narrow(const wchar_t *text) {
    size_t length = text ? wcslen(text) : 0;
    char *narrow = malloc(4 * length + 1), *out = narrow;
    for (size_t i = 0; narrow && i < length; i++) {
        uint32_t c = (uint32_t)text[i];
        bool is_one = c < 0xd800 || (c > 0xdfff && c < 0x110000);
        out = put_character(out, is_one ? c : 0xfffd);
    }
    if (narrow)
        *out = 0;
    return narrow;
}

const char *gcl_nvtx_domain_name(nvtxDomainHandle_t domain) {
    return domain_of(domain)->name;
}

const char *gcl_nvtx_string(nvtxStringHandle_t string) {
    return string ? string->text : "";
}

static struct nvtxStringRegistration_st *add_string(struct nvtxStringRegistration_st **list,
                                                    uint32_t number, const char *text) {
    size_t size = strlen(text) + 1;
    struct nvtxStringRegistration_st *added = malloc(sizeof *added + size);
    if (!added)
        return NULL;
    added->number = number;
    memcpy(added->text, text, size);
    added->next = *list;
    return *list = added;
}

const char *gcl_nvtx_category_name(nvtxDomainHandle_t domain, uint32_t category) {
    pthread_mutex_lock(&lock);
    const struct nvtxStringRegistration_st *c = domain_of(domain)->categories;
    while (c && c->number != category)
        c = c->next;
    pthread_mutex_unlock(&lock);
    return c ? c->text : NULL; // names are added before others, and never taken away
}

void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *text) {
    if (!text || !gcl_nvtx_trace())
        return;
    pthread_mutex_lock(&lock);
    add_string(&domain_of(domain)->categories, category, text);
    pthread_mutex_unlock(&lock);
}

static nvtxDomainHandle_t add_domain(const char *name) {
    struct nvtxDomainRegistration_st *added = calloc(1, sizeof *added);
    char *copy = strdup(name);
    if (!added || !copy) {
        free(copy);
        free(added);
        return NULL;
    }
    added->name = copy;
    added->next = default_domain.next;
    return default_domain.next = added;
}

nvtxDomainHandle_t nvtxDomainCreateA(const char *text) {
    if (!text || !gcl_nvtx_trace())
        return NULL;
    pthread_mutex_lock(&lock);
    nvtxDomainHandle_t found = default_domain.next;
    while (found && strcmp(found->name, text) != 0)
        found = found->next;
    if (!found)
        found = add_domain(text);
    pthread_mutex_unlock(&lock);
    return found;
}

void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
    (void)domain; // another one may have the same name
}

nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *text) {
    if (!text || !gcl_nvtx_trace())
        return NULL;
    pthread_mutex_lock(&lock);
    nvtxStringHandle_t found = domain_of(domain)->strings;
    while (found && strcmp(found->text, text) != 0)
        found = found->next;
    if (!found)
        found = add_string(&domain_of(domain)->strings, 0, text);
    pthread_mutex_unlock(&lock);
    return found;
}

// Names of wide characters.

void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t *text) {
    char *narrow = gcl_nvtx_trace() ? gcl_nvtx_narrow(text) : NULL;
    nvtxDomainNameCategoryA(domain, category, narrow);
    free(narrow);
}

nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *text) {
    char *narrow = gcl_nvtx_trace() ? gcl_nvtx_narrow(text) : NULL;
    nvtxDomainHandle_t domain = nvtxDomainCreateA(narrow);
    free(narrow);
    return domain;
}

nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *text) {
    char *narrow = gcl_nvtx_trace() ? gcl_nvtx_narrow(text) : NULL;
    nvtxStringHandle_t string = nvtxDomainRegisterStringA(domain, narrow);
    free(narrow);
    return string;
}

// Categories of the default domain.

void nvtxNameCategoryA(uint32_t category, const char *text) {
    nvtxDomainNameCategoryA(NULL, category, text);
}

void nvtxNameCategoryW(uint32_t category, const wchar_t *text) {
    nvtxDomainNameCategoryW(NULL, category, text);
}
