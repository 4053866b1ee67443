# Read by tests that take the network away: `offline COMMAND ARGUMENTS...` runs one without it, in a network namespace that has no device, or where
# that is not allowed, with proxies that answer to nobody.
if unshare -rn true 2>/dev/null; then
    offline() { unshare -rn -- "$@"; }
else
    offline() {
        env http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 all_proxy=http://127.0.0.1:9 no_proxy= \
            HTTP_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9 NO_PROXY= "$@"
    }
fi
