# Patterns: ranges, regular expressions, next, nextfile, getline, output redirection, printf.
/start/, /stop/ { print "in", NR, $0; next }
/[[:digit:]]{3}/ { print "three digits", $0 } $1 ~ "^x" && !/z$/ { print "x", FNR } NF == 0 { empty++ } 
/read next/ { getline; print "got", $0 } /shout/ { print toupper($0) | "cat" } 
/(ab|cd)+e?f/ { print "alt", gensub(/(ab|cd)/, "<\\1>", "g") } length > 30 { print substr($0, 1, 30) "..." } { total += length; last = $0 }
END { close("cat"); print NR, empty, total, last; print (length(ENVIRON["HOME"]) > 0), ARGC, RS == "\n" | "sort -r"; close("sort -r"); print "done" > "/dev/stdout" }
