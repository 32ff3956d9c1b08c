import { ICON, SERVICE } from './layout.ts';

/** Style of the bar, for pages with their own styles. */
export const barStyle = `
#session { display: flex; align-items: center; gap: 1rem; box-sizing: border-box; height: 2.75rem; padding: 0 1rem;
  background: #0b3d70; color: #fff; font: 14px/1.2 system-ui, sans-serif; }
#session a { display: flex; align-items: center; gap: .6rem; color: inherit; font-weight: 600; text-decoration: none; }
#session [role=status] { flex: 1; text-align: right; }
#session button { padding: .4rem .9rem; border: 1px solid #8fb3d9; border-radius: .3rem; background: none; color: inherit;
  font: inherit; cursor: pointer; white-space: nowrap; }
#session button:hover { background: #165a9c; }
#session button:disabled { opacity: .6; cursor: default; }
`;

/**
 * A bar above an editor with a logout button. It ends the sessions that were opened or used on the page, and empties
 * the page.
 */
export const bar = `<header id="session">
<a href="/"><img src="${ICON}" alt="" width="20" height="20">${SERVICE}</a>
<span role="status"></span>
<button type="button" title="Encerra a sessão e esvazia os campos desta página">Sair e limpar</button>
</header>`;

/**
 * Runs before the editor. It collects tokens from the editor's requests and their answers. A request for GraphQL with an
 * empty token gets that of the last login, so that one login serves all tabs of the editor.
 */
export const barScript = `(() => {
  // Earlier versions of the editors stored passwords and tokens here.
  for (const key of Object.keys(localStorage))
    if (key === 'authorized' || key.startsWith('graphiql:')) localStorage.removeItem(key);
  addEventListener('focusin', event => event.target.setAttribute('autocomplete', 'off'));

  const tokens = new Set();
  let newest;
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const { origin, pathname } = new URL(input.url ?? input, location.href);
    const headers = new Headers(init?.headers ?? input.headers);
    if (origin === location.origin && pathname === '/graphql' && headers.get('token') === '' && newest) {
      headers.set('token', newest);
      init = { ...init, headers };
    }
    const token = headers.get('token');
    if (origin === location.origin && token) tokens.add(token);
    const answer = await send(input, init);
    if (origin === location.origin && ['/graphql', '/auth/login'].includes(pathname))
      answer.clone().text().then(
        text => { for (const [, given] of text.matchAll(/"token"\\s*:\\s*"([\\w-]+)"/g)) tokens.add((newest = given)); },
        () => {},
      );
    return answer;
  };

  async function leave(token) {
    const answer = await send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: '{"query":"mutation { sair }"}',
    });
    const { data, errors } = await answer.json();
    if (!data?.sair && errors?.[0]?.extensions?.code !== 'UNAUTHENTICATED') throw new Error('still logged in');
    tokens.delete(token);
  }

  document.addEventListener('click', async ({ target }) => {
    if (!target.matches('#session button')) return;
    const status = document.querySelector('#session [role=status]');
    target.disabled = true;
    status.textContent = '';
    try {
      await Promise.all([...tokens].map(leave));
      location.replace(location.pathname);
    } catch {
      status.textContent = 'A sessão não pôde ser encerrada. Tente de novo.';
      target.disabled = false;
    }
  });
})();
`;
