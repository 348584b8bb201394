-- Calls: plain and tail recursion, varargs, many results.
local n = tonumber((...)) or 25
local function fib(i) if i < 2 then return i end return fib(i - 1) + fib(i - 2) end
local function loop(i, a, b) if i == 0 then return a end return loop(i - 1, b, a + b) end
local function sum(...) local s = 0 for i = 1, select('#', ...) do s = s + (select(i, ...)) end return s end
local function many(i) if i == 0 then return end return i, many(i - 1) end
print(fib(n), loop(80, 0, 1), sum(1, 2, 3, many(20)))
print(select('#', table.unpack({}, 1, 200)))
