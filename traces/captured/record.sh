#!/usr/bin/env bash
# Records half an hour of work with eight programs of Debian as a trace of Jettison.
#
#   traces/captured/record.sh [FILE]        default: desktop.csv beside this script
#
# Installs the programs if they are missing (apt-get), runs them on a screen that nobody sees, and
# changes between them as a person does: the program in front is continued, the others are stopped.
# What they do in front is real work, in files of their own in a temporary folder.
#
# JETTISON is the command (default: .build/release/jettison of this clone); PACE is its
# length in hundredths (PACE=10: three minutes), to try the script.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
pace="${PACE:-100}"
packages=(emacs-nox gimp gnuplot-doc imagemagick mupdf python3 redis-server redis-tools sqlite3
  surf x11-utils xdotool xvfb)
manual=/usr/share/doc/gnuplot

# ---------------------------------------------------------------- outside of the recording

record() {
  local file="${1:-$here/desktop.csv}" package missing=()
  local jettison="${JETTISON:-$here/../../.build/release/jettison}"
  for package in "${packages[@]}"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    # RUNLEVEL: the database is not to be started as a service.
    $(command -v sudo) env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
      apt-get install -y --no-install-recommends "${missing[@]}"
  fi
  local seconds=$((18 * pace))
  "$jettison" record -o "$file" --user desktop --duration "${seconds}s" \
    --name emacs --name surf --name mupdf-x11 --name gimp --name python3 --name sqlite3 \
    --name redis-server --name 'convert-im6*' \
    -- "$here/record.sh" --session
}

# ---------------------------------------------------------------- programs

work=""
front=""
declare -A group window
step=0

# Every program is a process group of its own, so that it is stopped and continued with its helpers.
open() {
  local app="$1"
  leave
  case "$app" in
    emacs) emacs -Q --fg-daemon="$work/editor" ;;
    surf) surf "$manual/htmldocs/index.html" ;;
    mupdf) mupdf "$manual/gnuplot.pdf" ;;
    gimp) gimp -n -i -d -f -b - <"$work/gimp.in" ;;
    python) /usr/bin/python3 -q -i <"$work/python.in" ;;
    sqlite) sqlite3 "$work/library.db" <"$work/sqlite.in" ;;
    redis) redis-server --port 0 --unixsocket "$work/redis.socket" --save '' --dir "$work" ;;
  esac >>"$work/$app.log" 2>&1 &
  group[$app]=$!
  front="$app"
  case "$app" in
    gimp) exec 4>"$work/gimp.in" ;;
    python) exec 5>"$work/python.in" ;;
    sqlite) exec 6>"$work/sqlite.in" ;;
  esac
  pause 30
  case "$app" in
    surf) find_window surf Surf ;;
    mupdf) find_window mupdf MuPDF ;;
  esac
}

find_window() {
  local tries
  for tries in {1..40}; do
    window[$1]="$(xdotool search --onlyvisible --class "$2" | tail -1)"
    test -z "${window[$1]}" || return 0
    sleep 0.5
  done
}

# A command that does one thing and ends.
once() {
  leave
  front=""
  "$@" >>"$work/once.log" 2>&1 || true
}

leave() {
  test -z "$front" || kill -STOP -- "-${group[$front]}" 2>/dev/null || true
}

enter() {
  local app="$1"
  if ! kill -0 -- "-${group[$app]:-0}" 2>/dev/null || [ -z "${group[$app]:-}" ]; then
    open "$app"
    return
  fi
  test "$front" = "$app" || leave
  front="$app"
  kill -CONT -- "-${group[$app]}"
}

# Ends the program in front as a person does.
quit() {
  local app="$front"
  case "$app" in
    emacs) emacsclient -s "$work/editor" -e '(kill-emacs)' ;;
    surf) xdotool windowkill "${window[surf]}" ;;
    mupdf) press mupdf q ;;
    gimp) echo '(gimp-quit TRUE)' >&4 ;;
    python) echo 'exit()' >&5 ;;
    sqlite) echo '.quit' >&6 ;;
    redis) redis-cli -s "$work/redis.socket" shutdown nosave ;;
  esac >>"$work/$app.log" 2>&1 || true
  # It may have work in hand.
  local waited=0
  while kill -0 -- "-${group[$app]}" 2>/dev/null && [ "$waited" -lt 100 ]; do
    sleep 0.2
    waited=$((waited + 1))
  done
  kill -KILL -- "-${group[$app]}" 2>/dev/null || true
  unset "group[$app]"
  front=""
}

pause() { sleep "$(awk -v tenths="$1" -v pace="$pace" 'BEGIN { print tenths * pace / 1000 }')"; }

press() {
  xdotool windowfocus "${window[$1]}" key --delay 60 "${@:2}" 2>/dev/null || true
}

# ---------------------------------------------------------------- their work

# One piece of work of a few seconds in the program in front.
work_in() {
  local app="$1" n
  step=$((step + 1))
  n=$step
  case "$app" in
    emacs) edit "$n" ;;
    surf) browse "$n" ;;
    mupdf) press mupdf space space space space space plus space minus space ;;
    gimp) paint "$n" >&4 ;;
    python) compute "$n" >&5 ;;
    sqlite) query "$n" >&6 ;;
    redis) cache "$n" ;;
  esac >>"$work/$app.log" 2>&1 || true
  pause 40
}

edit() {
  local sources=(/usr/lib/python3.11/*.py)
  local source="${sources[$1 * 7 % ${#sources[@]}]}"
  emacsclient -s "$work/editor" -e "(with-current-buffer (find-file-noselect \"$source\")
    (font-lock-ensure)
    (let ((text (buffer-string)))
      (with-current-buffer (find-file-noselect \"$work/notes-$(($1 % 5)).txt\")
        (goto-char (point-max))
        (insert text)
        (goto-char (point-min))
        (while (re-search-forward \"self\" nil t) (replace-match \"this\"))
        (save-buffer)
        (buffer-size))))" | tail -c 100
}

browse() {
  local pages=("$manual"/htmldocs/*.html) page="$work/page-$1.html"
  if [ $(($1 % 3)) -eq 0 ]; then
    # A page as heavy as those of the web: a long table, and data that a script keeps.
    {
      echo '<html><body><table id=t></table><canvas id=c width=1200 height=900></canvas><script>'
      echo "var n = $((2000 + $1 % 7 * 1500)), kept = [];"
      cat <<'PAGE'
for (var i = 0; i < n; i++) {
  var row = t.insertRow();
  for (var j = 0; j < 8; j++) row.insertCell().textContent = "cell " + i * j;
  kept.push({index: i, text: ("entry " + i).repeat(20), numbers: Array.from(Array(50).keys())});
}
var pen = c.getContext("2d");
for (var k = 0; k < 20000; k++) {
  pen.fillStyle = "hsl(" + k % 360 + ",70%,50%)";
  pen.fillRect(k * 37 % 1200, k * 91 % 900, 9, 9);
}
</script></body></html>
PAGE
    } >"$page"
  else
    page="${pages[$1 * 13 % ${#pages[@]}]}"
  fi
  xprop -id "${window[surf]}" -f _SURF_GO 8s -set _SURF_GO "file://$page"
  pause 10
  press surf Next Next Next Next
}

paint() {
  local side=$((800 + $1 % 6 * 250))
  cat <<PICTURE
(define picture (car (gimp-image-new $side $side RGB)))
(define layer (car (gimp-layer-new picture $side $side RGB-IMAGE "layer" 100 LAYER-MODE-NORMAL)))
(gimp-image-insert-layer picture layer 0 0)
(plug-in-plasma RUN-NONINTERACTIVE picture layer $1 3.0)
(plug-in-gauss RUN-NONINTERACTIVE picture layer 12 12 0)
(file-png-save-defaults RUN-NONINTERACTIVE picture layer "$work/paint-$(($1 % 4)).png" "x")
PICTURE
  # Every third picture stays open.
  if [ $(($1 % 3)) -ne 0 ]; then echo '(gimp-image-delete picture)'; fi
}

compute() {
  cat <<PROGRAM
import ast, glob, json, collections
trees = [ast.parse(open(name).read()) for name in sorted(glob.glob("/usr/lib/python3.11/*.py"))[$1 % 50::40]]
words = collections.Counter(word for name in sorted(glob.glob("/usr/lib/python3.11/*.py"))[$1 % 9::9] for word in open(name).read().split())
table = json.loads(json.dumps([{"index": i, "square": i * i, "text": str(i)} for i in range($((20000 + $1 % 5 * 30000)))]))
kept = globals().get("kept", [])[-6:] + [dict(words)]
print(len(trees), len(words), len(table), len(kept))
PROGRAM
  if [ $(($1 % 4)) -eq 0 ]; then echo 'del trees, table'; fi
}

query() {
  cat <<SQL
PRAGMA cache_size = -60000;
CREATE TABLE IF NOT EXISTS book(number INTEGER PRIMARY KEY, title TEXT, shelf INTEGER);
INSERT INTO book(title, shelf) WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k
  WHERE i < $((15000 + $1 % 5 * 8000))) SELECT 'Volume ' || i || ' of ' || hex(randomblob(40)), i % 97 FROM k;
CREATE INDEX IF NOT EXISTS by_shelf ON book(shelf, title);
SELECT shelf, count(*), max(title) FROM book GROUP BY shelf ORDER BY 2 DESC, 1 LIMIT 3;
SELECT count(*) FROM (SELECT title FROM book ORDER BY substr(title, 12) LIMIT 50000);
DELETE FROM book WHERE number % 5 = $1 % 5;
SQL
}

cache() {
  local client=(redis-cli -s "$work/redis.socket")
  "${client[@]}" eval "for i = 1, $((20000 + $1 % 4 * 15000)) do
    redis.call('hset', 'reader:' .. (i * $1 % 90001), 'name', 'reader ' .. i, 'loans', string.rep('x', i % 300))
    end return redis.call('dbsize')" 0
  "${client[@]}" eval "local sum = 0 for i = 1, 20000 do
    local name = redis.call('hget', 'reader:' .. i, 'name') if name then sum = sum + #name end end
    return sum" 0
  if [ $(($1 % 9)) -eq 0 ]; then "${client[@]}" flushdb; "${client[@]}" memory purge; fi
}

# ---------------------------------------------------------------- the half hour

# Stays in a program for some seconds, at work.
stay() {
  local app="$1" seconds="$2" spent=0
  enter "$app"
  while [ "$spent" -lt "$seconds" ]; do
    work_in "$app"
    spent=$((spent + 5))
  done
}

picture() {
  once convert-im6.q16 -size 2400x1800 "plasma:fractal" -blur 0x6 -resize 60% "$work/picture-$1.png"
  once convert-im6.q16 "$work/picture-$1.png" -rotate 30 -paint 3 "$work/picture-$1.jpg"
}

session() {
  # The shell tells of every group that ends; nobody asked.
  exec 2>/dev/null
  set -m
  work="$(mktemp -d)"
  trap 'end_session' EXIT
  trap 'exit 0' TERM
  export HOME="$work" XDG_RUNTIME_DIR="$work" LC_ALL=C
  unset DBUS_SESSION_BUS_ADDRESS
  mkfifo "$work/gimp.in" "$work/python.in" "$work/sqlite.in"
  Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp 3>"$work/display" 2>"$work/xvfb.log" &
  group[screen]=$!
  sleep 3
  DISPLAY=":$(cat "$work/display")"
  export DISPLAY

  stay emacs 60 && stay surf 75 && stay emacs 30 && stay mupdf 45 && stay emacs 40
  stay sqlite 60 && stay python 60 && stay sqlite 20 && stay emacs 30 && stay surf 60
  stay redis 45 && stay python 40 && stay redis 20 && stay surf 40 && stay gimp 70
  picture 1 && stay gimp 30 && stay surf 35 && stay emacs 50 && stay mupdf 30
  stay emacs 25 && stay sqlite 45 && stay surf 30 && stay python 50
  # The interpreter reads through a null pointer, and is started again.
  echo 'import ctypes; ctypes.string_at(0)' >&5
  pause 30
  stay surf 20 && stay python 45 && stay redis 40 && stay gimp 45 && quit
  picture 2 && stay surf 50 && stay emacs 30 && stay surf 25 && stay mupdf 30 && quit
  stay python 35 && stay emacs 40 && stay surf 45 && stay sqlite 30 && quit
  stay redis 25 && stay surf 30 && stay emacs 30 && stay mupdf 35 && stay surf 30
  stay gimp 55 && picture 3 && stay emacs 30 && stay sqlite 35 && stay surf 30
  stay python 30 && stay redis 20 && quit
  stay emacs 40 && stay surf 600
}

end_session() {
  local app
  for app in "${!group[@]}"; do
    kill -KILL -- "-${group[$app]}" 2>/dev/null || true
  done
  wait 2>/dev/null || true
  test -z "${KEEP_LOGS:-}" || cp "$work"/*.log "$KEEP_LOGS"
  rm -rf "$work"
}

if [ "${1:-}" = "--session" ]; then session; else record "$@"; fi
