# zlib 1.2.11 (the C inside crate libz-sys 1.1.8).
zlib_unpack() {
    local source
    source=$(fetch_crate libz-sys 1.1.8 9702761c3935f8cc2f101793272e202c72b99da8f4224a19ddcf1279a6450bbf) || return 1
    rm -rf "$1" && cp -r "$source/src/zlib" "$1" && chmod +x "$1/configure"
}
zlib_steps() { echo './configure && make -j2 libz.a libz.so.1.2.11 example minigzip examplesh minigzipsh'; }
zlib_workloads() {
    local level file
    work ci example "./example tmp.gz"
    work ci example-shared "LD_LIBRARY_PATH=. ./examplesh tmp.gz"
    work ci input "$workloads/zlib/make_input.sh small 1; $workloads/zlib/make_input.sh large 40; ls small large"
    for file in text zeros random mixed empty one; do
        work ci "pack-$file" "./minigzip <small/$file >packed.gz; cksum <packed.gz; ./minigzip -d <packed.gz | cmp - small/$file && echo same"
    done
    for level in 1 3 9; do
        work ci "level-$level" "./minigzip -$level <small/mixed | tee packed.gz | cksum; ./minigzip -d <packed.gz | cksum"
    done
    work ci filtered "./minigzip -f <small/mixed | cksum; ./minigzip -h <small/text | cksum; ./minigzip -r <small/zeros | cksum"
    work ci files "cp small/text t; ./minigzip t; ls t.gz; ./minigzip -d t.gz; cmp t small/text && echo same; ./minigzip -d nosuch.gz"
    work ci damaged "./minigzip <small/text | head -c 3000 >cut.gz; ./minigzip -d <cut.gz | cksum; printf 'not gzip' | ./minigzip -d"
    work ci shared "LD_LIBRARY_PATH=. ./minigzipsh <small/mixed | cksum"
    work full large-text "./minigzip <large/text | tee large.gz | cksum; ./minigzip -d <large.gz | cksum"
    work full large-mixed "./minigzip -6 <large/mixed | tee large.gz | cksum; ./minigzip -d <large.gz | cksum"
    work full large-random "./minigzip -9 <large/random | cksum"
}
