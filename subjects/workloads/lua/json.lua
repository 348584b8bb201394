-- A JSON reader and writer, round trips.
local n = tonumber((...)) or 20
local function decode(s)
  local p = 1
  local function space() p = s:find("%S", p) or #s + 1 end
  local value
  local function text() local e, out = p + 1, {} while true do local c = s:sub(e, e) if c == '"' then p = e + 1 return table.concat(out) elseif c == "\\" then out[#out + 1] = ({ n = "\n", t = "\t" })[s:sub(e + 1, e + 1)] or s:sub(e + 1, e + 1) e = e + 2 else out[#out + 1] = c e = e + 1 end end end
  function value()
    space()
    local c = s:sub(p, p)
    if c == "{" then local o = {} p = p + 1 space() if s:sub(p, p) == "}" then p = p + 1 return o end repeat space() local k = text() space() assert(s:sub(p, p) == ":") p = p + 1 o[k] = value() space() local d = s:sub(p, p) p = p + 1 until d == "}" return o
    elseif c == "[" then local a = {} p = p + 1 space() if s:sub(p, p) == "]" then p = p + 1 return a end repeat a[#a + 1] = value() space() local d = s:sub(p, p) p = p + 1 until d == "]" return a
    elseif c == '"' then return text()
    else local word = s:match("^[%w%.%-+]+", p) if not word then error("unexpected " .. c .. " at " .. p, 0) end p = p + #word if word == "true" then return true elseif word == "false" then return false end return tonumber(word) or error("bad " .. word, 0) end
  end
  return value()
end
local function encode(v)
  if type(v) == "table" then if #v > 0 then local o = {} for i, x in ipairs(v) do o[i] = encode(x) end return "[" .. table.concat(o, ",") .. "]" end
    local keys, o = {}, {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys) for i, k in ipairs(keys) do o[i] = encode(k) .. ":" .. encode(v[k]) end return "{" .. table.concat(o, ",") .. "}"
  elseif type(v) == "string" then return '"' .. v:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"' end
  return tostring(v)
end
local doc = '{"name":"te\\"st","list":[1,2.5,-3e2,true,{"deep":[[],[[7]]]}],"empty":{},"text":"line\\nbreak"}'
for i = 1, n do local again = encode(decode(doc)) assert(encode(decode(again)) == again) if i == 1 then print(again) end end
print(pcall(decode, "[1,?]")) print(pcall(decode, "nope"))
