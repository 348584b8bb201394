# Fields and records in many ways.
BEGIN { FS = ","; OFS = ";"; while (("echo a,b,c; echo 1,2,3" | getline line) > 0) { n = split(line, part); print n, part[1], part[n] } }
{ $2 = NR; $(NF + 2) = "end"; print; NF = 2; print; print $0 ~ /1/, length(), substr($0, 2, 3), index($0, ";") }
END { FIELDWIDTHS = "2 3 4"; $0 = "aabbbcccc"; print $1 "|" $2 "|" $3; FPAT = "[0-9]+"; $0 = "x12y345z"; print $1, $2, NF; print match("foobar", /o+/, m), RSTART, RLENGTH, m[0]; print gensub(/(a)(b)/, "\\2\\1", "g", "abab"), sprintf("%5.2f|%-5s|%c|%x|%e", 3.14159, "ab", 65, 255, 12345.678) }
