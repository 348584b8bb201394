-- Closures and upvalues: counters, shared state, memoisation, composition.
local function counter() local n = 0 return function() n = n + 1 return n end, function() n = 0 end end
local next_a, reset = counter()
local next_b = counter()
next_a() next_a() next_b()
reset()
print(next_a(), next_b())
local list = {}
for i = 1, 5 do list[i] = function(x) i = i + x return i end end
print(list[1](1), list[1](1), list[5](10))
local function memo(f) local c = {} return function(x) local v = c[x] if not v then v = f(x) c[x] = v end return v end end
local calls = 0
local fact fact = memo(function(n) calls = calls + 1 return n == 0 and 1 or n * fact(n - 1) end)
print(fact(20), fact(15), calls)
local function compose(f, g, ...) if not g then return f end return compose(function(...) return f(g(...)) end, ...) end
print(compose(function(x) return x + 1 end, function(x) return x * 2 end, math.abs)(-20))
local function y(f) return (function(x) return x(x) end)(function(x) return f(function(...) return x(x)(...) end) end) end
print(y(function(self) return function(n) return n < 2 and n or self(n - 1) + self(n - 2) end end)(18))
