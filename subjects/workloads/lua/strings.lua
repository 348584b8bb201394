-- The string library: patterns, formats, byte work, concatenation.
local n = tonumber((...)) or 200
local parts = {}
for i = 1, n do parts[#parts + 1] = string.format("%05d:%x:%g:%q", i, i * 7, i / 8, "a\n" .. i) end
local text = table.concat(parts, ",")
print(#text, text:sub(1, 40):gsub("\n", "."))
local count = 0
for number, hex in text:gmatch("(%d+):(%x+)") do if tonumber(number) * 7 == tonumber(hex, 16) then count = count + 1 end end
print(count, (text:gsub("%d", { ["1"] = "one", ["2"] = false })):len())
print(("hello world"):gsub("o", function(c) return c:upper() .. "!" end))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("[[nested]]"):find("%b[]"), ("THE (quick) fox"):find("%((%a+)%)"))
print(("x"):rep(10, "-"), ("abc"):reverse(), ("%d"):format(42), ("frontier THE END"):gsub("%f[%a]%a+", string.lower))
local sum = 0
for i = 1, #text do sum = (sum * 31 + text:byte(i)) % 1000000007 end
print(sum, string.char(72, 105), ("%5.2f|%-8s|%+d"):format(3.14159, "left", 5))
local s = ""
for i = 1, n do s = s .. i % 10 end
print(#s, s:sub(-5), s:find("90", 1, true))
print(pcall(string.rep, "x", -1), pcall(string.format, "%d", "1.5"))
