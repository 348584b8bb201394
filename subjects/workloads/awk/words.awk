# Word counts, sorted by count.
{ for (i = 1; i <= NF; i++) { w = tolower($i); gsub(/[^a-z]/, "", w); if (w != "") count[w]++ } }
END { n = asorti(count, names); for (i = 1; i <= n && i <= 12; i++) print names[i], count[names[i]]; print n; PROCINFO["sorted_in"] = "@val_num_desc"; for (w in count) { top = top " " count[w]; if (++shown == 5) break } print top }
