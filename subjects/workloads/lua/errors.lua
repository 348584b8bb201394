-- Errors through protected calls, at every depth, with handlers, levels, objects, from C functions.
local function at(depth, what) if depth == 0 then error(what, 0) end at(depth - 1, what) return 1 end
for i = 1, 30 do local ok, e = pcall(at, i * 3, "deep " .. i) assert(not ok and e == "deep " .. i) end
print(xpcall(at, function(e) return "handled " .. e end, 5, "trouble"))
print(pcall(error)) print(pcall(error, nil)) print(select('#', pcall(error)))
print(pcall(string.rep)) print(pcall(setmetatable, 1)) print(pcall(ipairs)) print(pcall(tostring))
print(pcall(function() local t = nil; t.x = 1 end)) print(pcall(function() return 1 < "2" end)) print(pcall(function() return 2^53 | 0.5 end))
print(load("x = = 1")) print(load("for"))
print(pcall(load, function() error("reader") end))
local function overflow() return 1 + overflow() end
local ok, e = pcall(overflow) print(ok, (e:gsub("%(.*", "")):sub(1, 60))
local count = 0
for i = 1, 200 do if not pcall(function() if i % 3 == 0 then error({ i }) end local t = setmetatable({}, { __index = function() error("idx") end }) return i % 5 == 0 and t.x end) then count = count + 1 end end
print(count)
print(xpcall(function() error("first") end, function(m) error("in handler") end))
print(select(2, pcall(error, setmetatable({}, { __tostring = function() return "object" end }))) ~= nil)
print(tostring(assert(1, "no")), pcall(assert, false, "yes"), pcall(assert, nil))
os.exit(7, true)
