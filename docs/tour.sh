#!/usr/bin/env bash
# A tour through the API of a fresh installation on the embedded database, whose first account becomes platform
# administrator. Needs curl and node. It leaves behind what it creates, so run it on an empty data folder:
#
#   TENANTRY_DATA_DIR=$(mktemp -d) npm start        # in one terminal
#   docs/tour.sh [http://127.0.0.1:8080]            # in another
set -euo pipefail

base=${1:-http://127.0.0.1:8080}/api/v1
token=''  # the access token of whoever acts
tenant='' # the tenant to act in; empty: the caller's own

# json <expression>: evaluates it over the JSON on standard input, which it calls `it`.
json() { node -e 'const it = JSON.parse(require("fs").readFileSync(0)); console.log(eval(process.argv[1]))' "$1"; }

# Prints an answer; tokens are cut after their first 20 characters, which is the only thing left out.
show() { json 'JSON.stringify(it, (key, value) => /_token$/.test(key) ? value.slice(0, 20) + "…" : value)'; }

# call <method> <path> [<body>]: prints request and answer, keeps the answer in $answer, and stops at an error.
call() {
  local options=(--silent --show-error --request "$1")
  if [ -n "$token" ]; then options+=(--header "Authorization: Bearer $token"); fi
  if [ -n "$tenant" ]; then options+=(--header "X-Tenant-ID: $tenant"); fi
  if [ $# -gt 2 ]; then options+=(--header 'Content-Type: application/json' --data "$3"); fi
  printf '%s %s %s\n' "$1" "$2" "${3:-}"
  answer=$(curl "${options[@]}" "$base$2")
  show <<<"$answer"
  echo
  [ "$(json it.code <<<"$answer")" = 0 ]
}

data() { json "it.data.$1" <<<"$answer"; }
step() { printf '## %s\n\n' "$1"; }

step '1. The first account of an empty embedded database becomes platform administrator'
call POST /auth/register '{"email":"ada@example.com","username":"ada","password":"correct horse battery"}'
token=$(data access_token)

step '2. Who am I?'
call GET /profile

step '3. A tenant'
call POST /org/tenants '{"name":"Analytical Engines","slug":"analytical-engines"}'
tenant=$(data id)

step '4. A user in it: X-Tenant-ID puts that tenant in scope'
call POST /users '{"email":"grace@example.com","username":"grace","password":"a fine long password","nickname":"Grace"}'
grace=$(data id)

step '5. Every tenant has the system roles admin, viewer and member; Grace gets admin'
roles=$(curl -sS -H "Authorization: Bearer $token" -H "X-Tenant-ID: $tenant" "$base/rbac/roles")
admin=$(json 'it.data.find(({ name }) => name === "admin").id' <<<"$roles")
call POST "/rbac/users/$grace/roles" "{\"role_id\":$admin}"

step '6. Grace signs in, and administers her tenant from here on'
token=''
call POST /auth/login '{"email":"grace@example.com","password":"a fine long password"}'
token=$(data access_token)

step '7. A role, and the permissions it carries: setting:read is 15, setting:update is 16'
call POST /rbac/roles '{"name":"Editors","description":"May edit settings"}'
editors=$(data id)
call PUT "/rbac/roles/$editors/permissions" '{"permission_ids":[15,16]}'

step '8. A colleague who gets it'
call POST /users '{"email":"alan@example.com","username":"alan","password":"another fine password"}'
alan=$(data id)
call POST "/rbac/users/$alan/roles" "{\"role_id\":$editors}"

step '9. What is not hers: the list of all tenants (403), and a user of another tenant (404)'
call GET /org/tenants || true
call GET /users/1 || true

step '10. Who did what in this tenant: every change has left one record'
call GET '/audit/logs?page_size=2'

step '11. The tenant in numbers'
call GET /dashboard/stats
