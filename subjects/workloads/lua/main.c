/* A small stand-alone Lua: lua [-e CHUNK] [SCRIPT [ARGUMENTS]]. The package has the library only. */
#include <stdio.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static int traceback(lua_State *L)
{
    luaL_traceback(L, L, lua_tostring(L, 1), 1);
    return 1;
}

static int run(lua_State *L, int status, int arguments)
{
    if (status == LUA_OK) {
        int at = lua_gettop(L) - arguments;
        lua_pushcfunction(L, traceback);
        lua_insert(L, at);
        status = lua_pcall(L, arguments, 0, at);
    }
    if (status != LUA_OK)
        fprintf(stderr, "lua: %s\n", lua_tostring(L, -1));
    return status != LUA_OK;
}

int main(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    if (!L)
        return 2;
    luaL_openlibs(L);
    int failed = 0, script = 1;
    if (argc > 2 && strcmp(argv[1], "-e") == 0) {
        failed = run(L, luaL_loadstring(L, argv[2]), 0);
        script = 3;
    }
    if (!failed && script < argc) {
        lua_newtable(L);
        for (int i = 0; i < argc; i++) {
            lua_pushstring(L, argv[i]);
            lua_rawseti(L, -2, i - script);
        }
        lua_setglobal(L, "arg");
        int status = luaL_loadfile(L, argv[script]);
        int n = 0;
        if (status == LUA_OK)
            for (int i = script + 1; i < argc; i++, n++)
                lua_pushstring(L, argv[i]);
        failed = run(L, status, n);
    }
    lua_close(L);
    return failed;
}
