# Every outside library, found once. Names differ between versions; the rest of the build sees only these targets:
# msgpack, uv, curl, sqlite, json, cli11, utf8proc, stemmer, sodium, spdlog, and Catch2 for tests.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(CURL 7.80 REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
find_package(spdlog 1.9 REQUIRED)
pkg_check_modules(UV REQUIRED IMPORTED_TARGET libuv)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)  # keyed hashes and random bytes
find_library(STEMMER stemmer REQUIRED)  # Snowball's libstemmer; it has no package file

add_library(selfmind_msgpack INTERFACE)
# Without this the headers pull Boost into every file that includes them.
target_compile_definitions(selfmind_msgpack INTERFACE MSGPACK_NO_BOOST)
find_package(msgpack-cxx CONFIG QUIET)  # 5 and later
if(msgpack-cxx_FOUND)
  target_link_libraries(selfmind_msgpack INTERFACE msgpack-cxx)
else()
  find_package(msgpack CONFIG REQUIRED)  # 4, as Debian 12 has it
  target_link_libraries(selfmind_msgpack INTERFACE msgpackc-cxx)
endif()

if(SELFMIND_TESTS)
  find_package(Catch2 REQUIRED)  # 2 or 3; tests/native/support/catch.h hides the difference
endif()
