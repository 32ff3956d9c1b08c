import { expect, it, onTestFinished } from 'vitest';
import { onLdap } from './support/directories.ts';
import { ACCOUNTS_DN, hasSlapd, USERS_DN } from './support/ldap-server.ts';

const path = '/institucional/usuarios-ldap';

/** Names of people as the server has them, the name itself, and the same name as an account spells it. */
const people: [uid: string, dn: string, cn: string, spelled: string][] = [
  [
    'um',
    String.raw`cn=Ana\2C a\20primeira+uid=um,${USERS_DN}`,
    'Ana, a primeira',
    String.raw`CN=Ana\, a primeira+UID=um,${USERS_DN}`,
  ],
  ['dois', String.raw`uid=dois+cn=Bia,${USERS_DN}`, 'Bia', String.raw`cn=bia + uid=dois, ${USERS_DN}`],
  [
    'tres',
    String.raw`cn=Tr\C3\AAs \2B mais \3B,${USERS_DN}`,
    'Três + mais ;',
    String.raw`cn=Três \+ mais \;,${USERS_DN}`,
  ],
  ['quatro', String.raw`cn=\20quatro\20,${USERS_DN}`, ' quatro ', String.raw`cn=\ quatro\ ,${USERS_DN}`],
  [
    'cinco',
    String.raw`cn=dois  espa\C3\A7os,${USERS_DN}`,
    'dois  espaços',
    String.raw`cn=dois espaços,${USERS_DN}`,
  ],
];

it.runIf(hasSlapd())(
  'a holder is found by any spelling of the same name, in a list of any length',
  async () => {
    const { server, service, stop } = await onLdap();
    onTestFinished(stop);
    for (const [uid, dn, cn, spelled] of people) {
      await server.asRoot(client =>
        client.add(dn, {
          objectClass: 'inetOrgPerson',
          uid,
          cn,
          sn: uid,
          mail: `${uid}@universidade.example`,
        }),
      );
      await server.add(ACCOUNTS_DN, `conta-${uid}`, {
        cn: `Conta ${uid}`,
        mail: `conta-${uid}@universidade.example`,
        manager: spelled,
      });
    }
    for (let i = 0; i < 30; i++)
      await server.add(USERS_DN, `muitos-${i}`, { mail: `muitos-${i}@universidade.example` });
    const admin = await service.as('admin');
    const { data } = (await admin.get(path)).body as {
      data: { email: string; responsaveis: { email: string }[] }[];
    };
    const holders = data
      .filter(({ email }) => people.some(([uid]) => email === `conta-${uid}@universidade.example`))
      .map(({ email, responsaveis }) => [email, responsaveis.map(holder => holder.email)]);
    expect(Object.fromEntries(holders)).toEqual(
      Object.fromEntries(
        people.map(([uid]) => [`conta-${uid}@universidade.example`, [`${uid}@universidade.example`]]),
      ),
    );
  },
);
