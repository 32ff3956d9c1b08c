/**
 * Runs before the editor. It collects tokens from the editor's requests and their answers. A request without a token
 * gets the token of the last login, so that one login is enough for the whole page. Everything is deleted with the
 * page.
 */
export const barScript = (basePath: string): string => `(() => {
  const base = ${JSON.stringify(basePath)};
  // Earlier versions of the editors stored passwords and tokens here.
  for (const key of Object.keys(localStorage))
    if (key === 'authorized' || key.startsWith('graphiql:')) localStorage.removeItem(key);
  addEventListener('focusin', event => event.target.setAttribute('autocomplete', 'off'));

  const tokens = new Set();
  let newest;
  let system = {};
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const { origin, pathname } = new URL(input.url ?? input, location.href);
    const own = origin === location.origin;
    const headers = new Headers(init?.headers ?? input.headers);
    if (own && newest && pathname !== base + '/auth/login' && !headers.get('token')) {
      headers.set('token', newest);
      for (const [name, value] of Object.entries(system)) if (!headers.get(name)) headers.set(name, value);
      init = { ...init, headers };
    }
    const token = headers.get('token');
    if (own && token) tokens.add(token);
    const answer = await send(input, init);
    if (own && [base + '/graphql', base + '/auth/login'].includes(pathname))
      answer.clone().text().then(
        text => { for (const [, given] of text.matchAll(/"token"\\s*:\\s*"([\\w-]+)"/g)) tokens.add((newest = given)); },
        () => {},
      );
    return answer;
  };

  const find = selector => document.querySelector('#session ' + selector);
  const texts = () => document.querySelector('#session').dataset;

  document.addEventListener('submit', async event => {
    if (!event.target.matches('#session form')) return;
    event.preventDefault();
    const form = event.target;
    const { username, password, ...given } = Object.fromEntries(new FormData(form));
    const button = form.querySelector('button');
    button.disabled = true;
    find('[role=alert]').textContent = '';
    try {
      const answer = await send(base + '/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', appversion: 'pages', ...given },
        body: JSON.stringify({ username, password }),
      });
      const { token, pessoa, detail } = await answer.json();
      if (!token) throw new Error(detail);
      tokens.add((newest = token));
      system = given;
      form.reset();
      find('details').open = false;
      find('summary').focus();
      find('[role=status]').textContent = texts().entered + ' ' + pessoa.nome;
    } catch (error) {
      form.elements.password.value = '';
      find('[role=alert]').textContent = error instanceof TypeError ? texts().unreachable : error.message;
      form.elements.password.focus();
    }
    button.disabled = false;
  });

  document.addEventListener('keydown', event => {
    const open = find('details[open]');
    if (event.key !== 'Escape' || !open?.contains(event.target)) return;
    open.open = false;
    find('summary').focus();
  });

  async function leave(token) {
    const answer = await send(base + '/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: '{"query":"mutation { sair }"}',
    });
    const { data, errors } = await answer.json();
    if (!data?.sair && errors?.[0]?.extensions?.code !== 'UNAUTHENTICATED') throw new Error('still logged in');
    tokens.delete(token);
  }

  document.addEventListener('click', async ({ target }) => {
    if (!target.matches('#session > button')) return;
    target.disabled = true;
    find('[role=status]').textContent = '';
    try {
      await Promise.all([...tokens].map(leave));
      location.replace(location.pathname);
    } catch {
      find('[role=status]').textContent = texts().stays;
      target.disabled = false;
    }
  });
})();
`;
