import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

/**
 * PostGraphile 5 as it comes, on the database of the load runs. With the statement in PEER_SESSION it looks up the
 * caller's session and right first, as the service does.
 */
const connectionString = process.env.DATABASE_URL;
const session = process.env.PEER_SESSION;
const pool = new pg.Pool({ connectionString });

const serv = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['public'] })],
  grafserv: { watch: false, graphiql: false, graphqlPath: '/graphql' },
}).createServ(grafserv);

async function mayPass(request) {
  const digest = createHash('sha256')
    .update(request.headers.token ?? '')
    .digest();
  const values = [digest, 'SII', 'almoxarifadoquimicos/materiais'];
  const { rows } = await pool.query({ name: 'session', text: session, values });
  return rows.length > 0 && rows[0].nivel >= 1;
}

const server = createServer();
await serv.addTo(server);
if (session) {
  const [answer] = server.listeners('request');
  server.off('request', answer);
  server.on('request', (request, response) => {
    mayPass(request).then(
      passes => (passes ? answer(request, response) : response.writeHead(401).end()),
      () => response.writeHead(500).end(),
    );
  });
}
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Ready on http://127.0.0.1:${server.address().port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
