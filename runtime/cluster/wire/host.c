// A machine is known by its boot, which the kernel numbers; whether two nodes of it can share
// memory by the namespaces that they are in, and by which /dev/shm they see.
#include "host.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_boot(char text[GCL_WIRE_TEXT_SIZE]) {
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!file || !fgets(text, GCL_WIRE_TEXT_SIZE, file))
        gethostname(text, GCL_WIRE_TEXT_SIZE - 1);
    text[strcspn(text, "\n")] = 0;
    if (file)
        fclose(file);
}

static unsigned long long number_of(const char *path, bool is_device) {
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    return is_device ? status.st_dev : status.st_ino;
}

void gcl_host_describe(struct gcl_wire_card *card) {
    read_boot(card->boot);
    snprintf(card->memory_name, sizeof card->memory_name, "ipc %llu, pid %llu, shm %llu",
             number_of("/proc/self/ns/ipc", false), number_of("/proc/self/ns/pid", false),
             number_of("/dev/shm", true));
    card->process = (uint32_t)getpid();
}

static uint32_t address_of(const struct ifaddrs *i) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET || !(i->ifa_flags & IFF_UP))
        return 0;
    return ntohl(((const struct sockaddr_in *)(const void *)i->ifa_addr)->sin_addr.s_addr);
}

static bool has_address(const struct addrinfo *known, uint32_t address) {
    for (; known; known = known->ai_next) {
        if (ntohl(((const struct sockaddr_in *)(const void *)known->ai_addr)->sin_addr.s_addr) ==
            address)
            return true;
    }
    return false;
}

uint32_t gcl_host_choose_interface(const char *host, struct gcl_wire_card *card) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *known = NULL;
    struct ifaddrs *all, *chosen = NULL;

    if (getifaddrs(&all) != 0)
        return 0;
    if (getaddrinfo(host, NULL, &hints, &known) != 0)
        known = NULL;
    for (struct ifaddrs *i = all; i; i = i->ifa_next) {
        uint32_t address = address_of(i);
        if (!address || (i->ifa_flags & IFF_LOOPBACK))
            continue;
        if (!chosen || has_address(known, address))
            chosen = i;
        if (has_address(known, address))
            break;
    }
    uint32_t address = chosen ? address_of(chosen) : 0;
    if (chosen)
        snprintf(card->interface, sizeof card->interface, "%s", chosen->ifa_name);
    if (known)
        freeaddrinfo(known);
    freeifaddrs(all);
    return address;
}

bool gcl_host_is_same(const struct gcl_wire_card *a, const struct gcl_wire_card *b) {
    return strcmp(a->boot, b->boot) == 0 && strcmp(a->host, b->host) == 0;
}

bool gcl_host_shares_memory(const struct gcl_wire_card *a, const struct gcl_wire_card *b) {
    return strcmp(a->boot, b->boot) == 0 && strcmp(a->memory_name, b->memory_name) == 0;
}
