-- The collector: weak tables, finalisers, both modes, many short-lived objects.
local n = tonumber((...)) or 300
local weak, finalised = setmetatable({}, { __mode = "v" }), 0
local keep = {}
for i = 1, n do
  local o = setmetatable({ i }, { __gc = function() finalised = finalised + 1 end })
  weak[i] = o
  if i % 10 == 0 then keep[#keep + 1] = o end
end
collectgarbage() collectgarbage()
local left = 0
for _ in pairs(weak) do left = left + 1 end
print(left, finalised, #keep)
for _, mode in ipairs { "generational", "incremental" } do
  collectgarbage(mode)
  local t = {}
  for i = 1, n * 100 do t[i % 50 + 1] = { i, tostring(i), { i } } end
  print(mode, t[1][2], #t)
end
local e = setmetatable({}, { __mode = "k" })
for i = 1, 50 do local k = {} e[k] = { k } end
collectgarbage()
print(next(e), collectgarbage("count") > 10, collectgarbage("step"), collectgarbage("isrunning"))
local s = {}
for i = 1, n do s[i] = ("x"):rep(i) .. i end
print(#table.concat(s))
keep = nil
