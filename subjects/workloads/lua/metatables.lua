-- Metatables: operators, inheritance, index functions, calls, tostring, comparison, close, gc order, proxies.
local V = {} V.__index = V
local function v(x, y) return setmetatable({ x = x, y = y }, V) end
V.__add = function(a, b) return v(a.x + b.x, a.y + b.y) end
V.__mul = function(a, b) if type(a) == "number" then return v(a * b.x, a * b.y) elseif type(b) == "number" then return b * a end return a.x * b.x + a.y * b.y end
V.__eq = function(a, b) return a.x == b.x and a.y == b.y end
V.__lt = function(a, b) return a.x < b.x end
V.__le = function(a, b) return a.x <= b.x end
V.__unm = function(a) return v(-a.x, -a.y) end
V.__len = function() return 2 end
V.__concat = function(a, b) return tostring(a) .. "&" .. tostring(b) end
V.__call = function(self, k) return self[k] end
V.__tostring = function(a) return "(" .. a.x .. "," .. a.y .. ")" end
V.__idiv = function(a, n) return v(a.x // n, a.y // n) end
V.__band = function(a, n) return v(a.x & n, a.y & n) end
local a, b = v(3, 4), v(1, 2)
print(tostring(a + b), a * b, tostring(2 * a), a == v(3, 4), a < b, a <= b, tostring(-a), #a, a .. b, a("y"), tostring(a // 2), tostring(a & 1))
local Animal = {} Animal.__index = Animal
function Animal.new(class, name) return setmetatable({ name = name }, class) end
function Animal:speak() return self.name .. " says " .. self:sound() end
local Dog = setmetatable({}, { __index = Animal }) Dog.__index = Dog
function Dog:sound() return "woof" end
print(Animal.new(Dog, "Rex"):speak())
local reads, store = 0, {}
local proxy = setmetatable({}, { __index = function(_, k) reads = reads + 1 return store[k] end, __newindex = function(_, k, x) store[k] = x * 2 end, __pairs = function() return next, store, nil end })
for i = 1, 10 do proxy[i] = i end
local s = 0 for _, x in pairs(proxy) do s = s + x end
print(proxy[5], reads, s, rawlen(proxy), rawget(proxy, 1))
do local c <close> = setmetatable({}, { __close = function() print("closed") end }) local d <const> = 5 print("inside", d) end
print(pcall(function() return {} + 1 end)) print(pcall(function() return #nil end)) print(pcall(function() return a.b.c end))
