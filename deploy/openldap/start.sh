#!/bin/sh
# Starts slapd. The first start adds the entries that the service needs. The service and root have the same password.
set -eu
BASE=${BASE:-dc=universidade,dc=example}
DATA=${DATA:-/var/lib/ldap}
PORT=${PORT:-1389}
password=$(slappasswd -T "${PASSWORD_FILE:-/run/secrets/directory_password}")
conf=$(mktemp)

cat >"$conf" <<CONF
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
suffix "$BASE"
rootdn "cn=root,$BASE"
rootpw $password
directory $DATA
index objectClass,uid,mail,cn,manager,employeeType eq
limits dn.exact="cn=sii,$BASE" size=unlimited
access to attrs=userPassword by dn.exact="cn=sii,$BASE" =wsx by anonymous auth by * none
access to * by dn.exact="cn=sii,$BASE" write by * none
CONF

# A first start that was interrupted left this mark, and perhaps a database without entries.
if [ -e "$DATA/filling" ] || [ ! -e "$DATA/data.mdb" ]; then
  touch "$DATA/filling"
  rm -f "$DATA/data.mdb" "$DATA/lock.mdb"
  slapadd -f "$conf" <<LDIF
dn: $BASE
objectClass: dcObject
objectClass: organization
dc: $(echo "$BASE" | sed 's/^dc=\([^,]*\).*/\1/')
o: Universidade

dn: cn=sii,$BASE
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: sii
userPassword: $password

dn: ou=pessoas,$BASE
objectClass: organizationalUnit
ou: pessoas

dn: ou=contas,$BASE
objectClass: organizationalUnit
ou: contas
LDIF
  rm "$DATA/filling"
fi

exec slapd -d 0 -h "ldap://0.0.0.0:$PORT/" -f "$conf"
