-- Integers and floats: overflow, division, conversion, bit operations, formats, math.
print(math.maxinteger + 1 == math.mininteger, 7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, -7.5 % 2, 1e308 * 10, -1 / 0, 0 / 0 ~= 0 / 0)
print(1 << 63, 1 << 64, -1 >> 1, ~0, 5 & 6 | 8 ~ 3, "10" + 5, "0x10" * 1, 10 / 2, 3 | 0, math.type(1), math.type(1.0), math.type("1"))
print(tonumber("  12  "), tonumber("1e2"), tonumber("0x1p4"), tonumber("z", 36), tonumber("8", 8), tonumber(""), tonumber("1 2"), math.tointeger(3.0), math.tointeger(3.5))
print(string.format("%d %5.1f %g %a %i %x %o %e", 3, 2.25, 1e20, 1.5, -4, 255, 8, 12345.678), 2^53, 1e15, 1e16, 0.1, 1/3, 100000000000000)
print(pcall(function() return 1 // 0 end)) print(pcall(function() return 1 % 0 end)) print(1.0 // 0, pcall(math.tointeger, "x"))
local h = 0
for i = 1, 20000 do h = (h * 31 + i * i ~ (h >> 7)) & 0xffffffffffff end
print(h, math.floor(-3.5), math.ceil(-3.5), math.fmod(-7, 3), math.ult(1, -1), math.max(1, 2.5), math.min(3), math.abs(math.mininteger))
for _, x in ipairs { 0.5, 2, 10 } do io.write(string.format("%.10g %.10g %.10g %.10g ", math.sin(x), math.log(x), math.exp(x), math.sqrt(x))) end
print(math.log(8, 2), math.log(1000, 10), math.pi)
local sum, z = 0.0, 0 for i = 1, 5000 do sum = sum + 1 / (i * i) z = z + i // 3 end
print(sum, z, 3 == 3.0, math.huge, -math.huge, #tostring(math.mininteger))
for i = 10, 1, -3 do io.write(i, " ") end for x = 0, 1, 0.25 do io.write(x, " ") end for i = math.maxinteger - 1, math.maxinteger do io.write(i, " ") end print()
math.randomseed(42) local r = math.random(100) math.randomseed(42) print(r == math.random(100))
