# Prints the data of each event behind the position $1, or from now on. Run: STORE=http://127.0.0.1:8080/v1 API_KEY=… bash follow.sh
[ $# -eq 0 ] || after=$1
while true; do
  while IFS= read -r line; do
    case $line in
      'id: '*) id=${line#id: } ;;
      'data: '*) data=${line#data: } ;;
      '') after=${id:-$after}; [ -z "$data" ] || printf '%s\n' "$data"; data= ;;
    esac
  done < <(curl -sSN --fail --retry 5 --speed-limit 1 --speed-time 45 \
    -H "Authorization: Bearer $API_KEY" -H 'Accept: text/event-stream' \
    "$STORE/events${after+?after=$after}")
  wait $! || [ $? -ne 22 ] || exit 1
  sleep 1
done
