#!/usr/bin/env bash
# Rebuilds the fonts. Needs npm and python3, and leaves no files of theirs.
#   server/fonts/NotoSans*.ttf                   Noto Sans for PDFs, a file for each script; see server/src/brand/fonts.rs
#   frontend/src/ui/fonts/poppins-basic-*.woff2  Poppins: what texts in English need, as in frontend/src/ui/fonts.css
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
noto=@expo-google-fonts/noto-sans

npm pack --silent --pack-destination "$work" @fontsource/poppins@5.3.0 $noto@0.4.2 $noto-{sc,tc,jp,kr,arabic,georgian,khmer,kannada,tamil}@0.4.3 \
  $noto-{thai,armenian,gujarati,malayalam,sinhala,lao,myanmar,telugu,ethiopic}@0.4.2 $noto-{hebrew,devanagari,gurmukhi}@0.4.1 $noto-bengali@0.4.4 >/dev/null
for archive in "$work"/*.tgz; do
  mkdir -p "$work/$(basename "$archive" .tgz)" && tar -xzf "$archive" -C "$work/$(basename "$archive" .tgz)"
done
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check fonttools==4.68.0 brotli==1.2.1

# The regular weight of a font as published.
published() { ls "$work"/expo-google-fonts-noto-sans-*/package/400Regular/"$1"_400Regular.ttf; }

# Cuts a font into server/fonts: no hints, no tables of vertical text, the rules that shape its script.
cut_font() {
  "$work/venv/bin/pyftsubset" "$(published "$1")" --notdef-outline --no-hinting --drop-tables+=vhea,vmtx,VORG,BASE,STAT,DSIG \
    --name-IDs=0,1,2,4,5,6,13,14 --output-file="server/fonts/$1.ttf" "${@:2}"
}

# The characters that a font of Han has and others lack.
characters_besides() {
  "$work/venv/bin/python" -c '
import sys
from fontTools.ttLib import TTFont
here, *others = (set(TTFont(path).getBestCmap()) for path in sys.argv[1:])
print(",".join(f"{code:X}" for code in sorted(here.difference(*others)) if code > 0x2E7F and not 0xA960 <= code <= 0xD7FF))
' "$(published "$1")" $(for other in "${@:2}"; do published "$other"; done)
}

rm -f server/fonts/*.ttf
cut_font NotoSans --unicodes="U+0000-058F,U+1AB0-1AFF,U+1C80-1C8F,U+1D00-27FF,U+2900-2BFF,U+2C60-2C7F,U+2DE0-2E7F,U+A640-A69F,U+A700-A7FF,U+AB30-AB6F,U+FB00-FB06,U+FE00-FE2F,U+FFF0-FFFF"
for script in Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Thai Lao Myanmar Georgian Armenian Ethiopic Khmer; do
  cut_font "NotoSans$script" --unicodes="*"
done
# Han, kana and Hangul need no shaping.
cut_font NotoSansSC --layout-features= --unicodes="U+2E80-A4CF,U+F900-FAFF,U+FE10-FE4F,U+FF00-FFEF,U+20000-3FFFF"
cut_font NotoSansTC --layout-features= --unicodes="$(characters_besides NotoSansTC NotoSansSC)"
cut_font NotoSansJP --layout-features= --unicodes="$(characters_besides NotoSansJP NotoSansSC NotoSansTC)"
cut_font NotoSansKR --layout-features= --unicodes="U+1100-11FF,U+3130-318F,U+A960-A97F,U+AC00-D7FF"
cp "$work"/expo-google-fonts-noto-sans-sc-*/package/LICENSE_FONT server/fonts/OFL.txt
ls -l server/fonts

for weight in 300 400 500 600 700; do
  "$work/venv/bin/pyftsubset" "$work"/fontsource-*/package/files/poppins-latin-$weight-normal.woff2 \
    --unicodes="U+0020-007E,U+00A0,U+00B7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026" \
    --flavor=woff2 --layout-features='*' --no-hinting --desubroutinize --output-file=frontend/src/ui/fonts/poppins-basic-$weight.woff2
done
cp "$work"/fontsource-*/package/LICENSE frontend/src/ui/fonts/OFL.txt
ls -l frontend/src/ui/fonts
