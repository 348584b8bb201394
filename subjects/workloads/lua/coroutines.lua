-- Coroutines: generators, passing values both ways, errors inside, wrap, close, many at once.
local function permutations(a)
  local function go(n) if n == 0 then coroutine.yield(a) else for i = 1, n do a[n], a[i] = a[i], a[n] go(n - 1) a[n], a[i] = a[i], a[n] end end end
  return coroutine.wrap(function() go(#a) end)
end
local count = 0
for p in permutations({ 1, 2, 3, 4, 5, 6 }) do count = count + p[1] * p[6] end
print(count)
local co = coroutine.create(function(a, b) local c = coroutine.yield(a + b) local d, e = coroutine.yield(c * 2) return d .. e end)
print(coroutine.resume(co, 1, 2)) print(coroutine.resume(co, 21)) print(coroutine.resume(co, "x", "y")) print(coroutine.resume(co))
local bad = coroutine.create(function() local x <close> = setmetatable({}, { __close = function(_, e) print("closing", e) end }) coroutine.yield(1) error({ code = 7 }) end)
print(coroutine.resume(bad)) local ok, e = coroutine.resume(bad) print(ok, type(e), e.code, coroutine.status(bad))
local tasks, log = {}, {}
for id = 1, 50 do tasks[id] = coroutine.create(function() for i = 1, id % 7 + 1 do log[#log + 1] = id * i coroutine.yield() end end) end
while #tasks > 0 do for i = #tasks, 1, -1 do coroutine.resume(tasks[i]) if coroutine.status(tasks[i]) == "dead" then table.remove(tasks, i) end end end
local sum = 0 for i, v in ipairs(log) do sum = sum + i * v end
print(#log, sum, coroutine.isyieldable(), select(2, coroutine.running()))
print(pcall(coroutine.wrap(function() pcall(coroutine.yield, 5) error("after") end)))
