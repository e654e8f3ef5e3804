// NVTX for C++11: ranges that live as long as a scope, domains and texts that are types of the
// program's. Each of them is one of nvToolsExt.h's.
#ifndef GCLUSTER_NVTX3_HPP
#define GCLUSTER_NVTX3_HPP

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "nvToolsExt.h"

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0

namespace nvtx3 {
inline namespace v1 {

namespace detail {

inline nvtxDomainHandle_t create(const char *name) noexcept {
    return nvtxDomainCreateA(name);
}
inline nvtxDomainHandle_t create(const wchar_t *name) noexcept {
    return nvtxDomainCreateW(name);
}
inline nvtxStringHandle_t registered(nvtxDomainHandle_t domain, const char *text) noexcept {
    return nvtxDomainRegisterStringA(domain, text);
}
inline nvtxStringHandle_t registered(nvtxDomainHandle_t domain, const wchar_t *text) noexcept {
    return nvtxDomainRegisterStringW(domain, text);
}
inline void name_category(nvtxDomainHandle_t domain, uint32_t id, const char *name) noexcept {
    nvtxDomainNameCategoryA(domain, id, name);
}
inline void name_category(nvtxDomainHandle_t domain, uint32_t id, const wchar_t *name) noexcept {
    nvtxDomainNameCategoryW(domain, id, name);
}

} // namespace detail

/// A domain is a type with a static member `name`.
class domain {
  public:
    domain(const domain &) = delete;
    domain &operator=(const domain &) = delete;

    /// The default domain, which has no name.
    struct global {};

    template <typename D = global> static const domain &get() noexcept {
        static const domain instance(static_cast<D *>(nullptr));
        return instance;
    }

    operator nvtxDomainHandle_t() const noexcept {
        return handle;
    }

  private:
    template <typename D> explicit domain(D *) noexcept : handle(detail::create(D::name)) {
    }
    explicit domain(global *) noexcept : handle(nullptr) {
    }

    nvtxDomainHandle_t handle;
};

struct rgb {
    using component_type = uint8_t;
    constexpr rgb(component_type r, component_type g, component_type b) noexcept
        : red(r), green(g), blue(b) {
    }
    component_type red, green, blue;
};

struct argb final : rgb {
    constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
        : rgb(r, g, b), alpha(a) {
    }
    component_type alpha;
};

class color {
  public:
    using value_type = uint32_t;
    constexpr explicit color(value_type hex) noexcept : value(hex) {
    }
    constexpr color(argb c) noexcept : value(pack(c.alpha, c)) {
    }
    constexpr color(rgb c) noexcept : value(pack(0xff, c)) {
    }
    constexpr value_type get_value() const noexcept {
        return value;
    }
    constexpr nvtxColorType_t get_type() const noexcept {
        return NVTX_COLOR_ARGB;
    }

  private:
    static constexpr value_type pack(uint8_t alpha, rgb c) noexcept {
        return static_cast<value_type>(alpha) << 24 | static_cast<value_type>(c.red) << 16 |
               static_cast<value_type>(c.green) << 8 | c.blue;
    }

    value_type value;
};

class category {
  public:
    using id_type = uint32_t;
    constexpr explicit category(id_type number) noexcept : id(number) {
    }
    constexpr id_type get_id() const noexcept {
        return id;
    }

  private:
    id_type id;
};

/// A category with a name in the domain D; C has the static members `id` and `name`.
template <typename D = domain::global> class named_category_in final : public category {
  public:
    template <typename C> static const named_category_in &get() noexcept {
        static const named_category_in instance(C::id, C::name);
        return instance;
    }
    template <typename Character>
    named_category_in(id_type id, const Character *name) noexcept : category(id) {
        detail::name_category(domain::get<D>(), id, name);
    }
};
using named_category = named_category_in<domain::global>;

/// A text that is known to the domain D; M has the static member `message`.
template <typename D = domain::global> class registered_string_in {
  public:
    template <typename M> static const registered_string_in &get() noexcept {
        static const registered_string_in instance(M::message);
        return instance;
    }
    template <typename Character>
    explicit registered_string_in(const Character *text) noexcept
        : handle(detail::registered(domain::get<D>(), text)) {
    }
    template <typename Character>
    explicit registered_string_in(const std::basic_string<Character> &text) noexcept
        : registered_string_in(text.c_str()) {
    }
    nvtxStringHandle_t get_handle() const noexcept {
        return handle;
    }

  private:
    nvtxStringHandle_t handle;
};
using registered_string = registered_string_in<domain::global>;

/// What an event is called; borrows the text.
class message {
  public:
    using value_type = nvtxMessageValue_t;
    message(const char *text) noexcept : type(NVTX_MESSAGE_TYPE_ASCII) {
        value.ascii = text;
    }
    message(const std::string &text) noexcept : message(text.c_str()) {
    }
    message(std::string &&) = delete;
    message(const wchar_t *text) noexcept : type(NVTX_MESSAGE_TYPE_UNICODE) {
        value.unicode = text;
    }
    message(const std::wstring &text) noexcept : message(text.c_str()) {
    }
    message(std::wstring &&) = delete;
    template <typename D>
    message(const registered_string_in<D> &text) noexcept : message(text.get_handle()) {
    }
    message(nvtxStringHandle_t handle) noexcept : type(NVTX_MESSAGE_TYPE_REGISTERED) {
        value.registered = handle;
    }
    message(nvtxMessageType_t kind, const value_type &what) noexcept : type(kind), value(what) {
    }
    value_type get_value() const noexcept {
        return value;
    }
    nvtxMessageType_t get_type() const noexcept {
        return type;
    }

  private:
    nvtxMessageType_t type;
    value_type value{};
};

/// A number of an event's.
class payload {
  public:
    using value_type = decltype(nvtxEventAttributes_t{}.payload);
    explicit payload(int64_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT64) {
        value.llValue = number;
    }
    explicit payload(int32_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT32) {
        value.iValue = number;
    }
    explicit payload(uint64_t number) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
        value.ullValue = number;
    }
    explicit payload(uint32_t number) noexcept : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
        value.uiValue = number;
    }
    explicit payload(float number) noexcept : type(NVTX_PAYLOAD_TYPE_FLOAT) {
        value.fValue = number;
    }
    explicit payload(double number) noexcept : type(NVTX_PAYLOAD_TYPE_DOUBLE) {
        value.dValue = number;
    }
    payload(nvtxPayloadType_t kind, const value_type &what) noexcept : type(kind), value(what) {
    }
    value_type get_value() const noexcept {
        return value;
    }
    nvtxPayloadType_t get_type() const noexcept {
        return type;
    }

  private:
    nvtxPayloadType_t type;
    value_type value{};
};

/// What an event is, of its parts in any order; the first one of each kind counts.
class event_attributes {
  public:
    using value_type = nvtxEventAttributes_t;

    event_attributes() noexcept {
        attributes.version = NVTX_VERSION;
        attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    }
    template <typename... Others>
    explicit event_attributes(const category &c, const Others &...others) noexcept
        : event_attributes(others...) {
        attributes.category = c.get_id();
    }
    template <typename... Others>
    explicit event_attributes(const color &c, const Others &...others) noexcept
        : event_attributes(others...) {
        attributes.color = c.get_value();
        attributes.colorType = c.get_type();
    }
    template <typename... Others>
    explicit event_attributes(const payload &p, const Others &...others) noexcept
        : event_attributes(others...) {
        attributes.payload = p.get_value();
        attributes.payloadType = p.get_type();
    }
    template <typename... Others>
    explicit event_attributes(const message &m, const Others &...others) noexcept
        : event_attributes(others...) {
        attributes.message = m.get_value();
        attributes.messageType = m.get_type();
    }

    const value_type *get() const noexcept {
        return &attributes;
    }

  private:
    value_type attributes{};
};

/// A range of the thread that ends with the scope of this variable.
template <typename D = domain::global> class scoped_range_in {
  public:
    explicit scoped_range_in(const event_attributes &event) noexcept {
        nvtxDomainRangePushEx(domain::get<D>(), event.get());
    }
    template <typename... Parts>
    explicit scoped_range_in(const Parts &...parts) noexcept
        : scoped_range_in(event_attributes(parts...)) {
    }
    scoped_range_in() noexcept : scoped_range_in(event_attributes()) {
    }
    ~scoped_range_in() noexcept {
        nvtxDomainRangePop(domain::get<D>());
    }
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
    void *operator new(std::size_t) = delete;
};
using scoped_range = scoped_range_in<domain::global>;

namespace detail {

/// A scoped range that may not be one.
template <typename D = domain::global> class optional_scoped_range_in {
  public:
    optional_scoped_range_in() = default;
    void begin(const event_attributes &event) noexcept {
        is_one = true;
        nvtxDomainRangePushEx(domain::get<D>(), event.get());
    }
    ~optional_scoped_range_in() noexcept {
        if (is_one)
            nvtxDomainRangePop(domain::get<D>());
    }
    optional_scoped_range_in(const optional_scoped_range_in &) = delete;
    optional_scoped_range_in &operator=(const optional_scoped_range_in &) = delete;

  private:
    bool is_one = false;
};

} // namespace detail

/// A range of the process.
struct range_handle {
    using value_type = nvtxRangeId_t;
    constexpr explicit range_handle(value_type id) noexcept : value(id) {
    }
    constexpr range_handle() noexcept = default;
    constexpr range_handle(std::nullptr_t) noexcept {
    }
    constexpr explicit operator bool() const noexcept {
        return value != 0;
    }
    constexpr value_type get_value() const noexcept {
        return value;
    }

  private:
    value_type value = 0;
};
inline bool operator==(range_handle a, range_handle b) noexcept {
    return a.get_value() == b.get_value();
}
inline bool operator!=(range_handle a, range_handle b) noexcept {
    return !(a == b);
}

template <typename D = domain::global>
range_handle start_range_in(const event_attributes &event) noexcept {
    return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), event.get()));
}
template <typename D = domain::global, typename... Parts>
range_handle start_range_in(const Parts &...parts) noexcept {
    return start_range_in<D>(event_attributes(parts...));
}
inline range_handle start_range(const event_attributes &event) noexcept {
    return start_range_in<domain::global>(event);
}
template <typename... Parts> range_handle start_range(const Parts &...parts) noexcept {
    return start_range_in<domain::global>(event_attributes(parts...));
}
template <typename D = domain::global> void end_range_in(range_handle range) noexcept {
    nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept {
    end_range_in<domain::global>(range);
}

/// A range of the process that ends with this variable, which can be moved.
template <typename D = domain::global> class unique_range_in {
  public:
    explicit unique_range_in(const event_attributes &event) noexcept
        : range(start_range_in<D>(event)) {
    }
    template <typename... Parts>
    explicit unique_range_in(const Parts &...parts) noexcept
        : unique_range_in(event_attributes(parts...)) {
    }
    unique_range_in() noexcept : unique_range_in(event_attributes()) {
    }
    unique_range_in(unique_range_in &&other) noexcept : range(other.range) {
        other.range = range_handle();
    }
    unique_range_in &operator=(unique_range_in &&other) noexcept {
        std::swap(range, other.range);
        return *this;
    }
    ~unique_range_in() noexcept {
        if (range)
            end_range_in<D>(range);
    }
    unique_range_in(const unique_range_in &) = delete;
    unique_range_in &operator=(const unique_range_in &) = delete;

  private:
    range_handle range;
};
using unique_range = unique_range_in<domain::global>;

template <typename D = domain::global> void mark_in(const event_attributes &event) noexcept {
    nvtxDomainMarkEx(domain::get<D>(), event.get());
}
template <typename D = domain::global, typename... Parts>
void mark_in(const Parts &...parts) noexcept {
    mark_in<D>(event_attributes(parts...));
}
inline void mark(const event_attributes &event) noexcept {
    mark_in<domain::global>(event);
}
template <typename... Parts> void mark(const Parts &...parts) noexcept {
    mark_in<domain::global>(event_attributes(parts...));
}

} // namespace v1
} // namespace nvtx3

// The rest of a function as a range with its name.
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                                  \
    static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{__func__};                 \
    static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{nvtx3_func_name__};               \
    const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__ {                                          \
        nvtx3_func_attr__                                                                          \
    }
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                                            \
    ::nvtx3::v1::detail::optional_scoped_range_in<D> nvtx3_range__;                                \
    if (C) {                                                                                       \
        static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{__func__};             \
        nvtx3_range__.begin(::nvtx3::v1::event_attributes(nvtx3_func_name__));                     \
    }
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

#endif
