import type { Language } from '../messages.ts';
import { ICON, SERVICE } from './layout.ts';
import { headers } from './starter.ts';

/** Style of the bar, for pages with their own styles. */
export const barStyle = `
#session { position: relative; z-index: 20; display: flex; align-items: center; gap: .75rem; box-sizing: border-box;
  height: 2.75rem; padding: 0 1rem; background: #0b3d70; color: #fff; font: 14px/1.2 system-ui, sans-serif; }
#session * { box-sizing: border-box; }
#session h1 { min-width: 0; margin: 0; font: inherit; }
#session a { display: flex; align-items: center; gap: .6rem; min-width: 0; color: inherit; font-weight: 600; text-decoration: none; }
#session a span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#session a img { flex: none; }
#session [role=status] { flex: 1; min-width: 0; overflow: hidden; text-align: right; text-overflow: ellipsis; white-space: nowrap; }
#session button, #session summary { padding: .4rem .9rem; border: 1px solid #8fb3d9; border-radius: .3rem; background: none;
  color: inherit; font: inherit; cursor: pointer; white-space: nowrap; list-style: none; }
#session summary::-webkit-details-marker { display: none; }
#session button:hover, #session summary:hover { background: #165a9c; }
#session button:disabled { opacity: .6; cursor: default; }
#session :focus-visible { outline: 3px solid #ffd166; outline-offset: 2px; }
#session form { position: absolute; top: 100%; right: 0; display: grid; gap: .6rem; width: min(22rem, 100%); margin: 0;
  padding: 1rem; background: #0b3d70; box-shadow: 0 .4rem 1rem #0006; }
#session label { display: grid; gap: .2rem; margin: 0; color: inherit; font: inherit; }
#session input { width: 100%; margin: 0; padding: .45rem .6rem; border: 1px solid #8fb3d9; border-radius: .3rem;
  background: #fff; color: #1c2733; font: inherit; }
#session [role=alert] { margin: 0; color: #ffd9d9; }
#session [role=alert]:empty { display: none; }
@media (max-width: 40rem) { #session { gap: .5rem; padding: 0 .6rem; } #session a span { display: none; } }
`;

const texts = {
  pt: {
    home: 'Início',
    enter: 'Entrar',
    user: 'Usuário',
    password: 'Senha',
    system: 'Sistema (App_name)',
    key: 'Chave do sistema (Api_key)',
    entered: 'Sessão de',
    unreachable: 'O serviço não respondeu. Tente de novo.',
    leave: 'Sair e limpar',
    leaving: 'Encerra a sessão e esvazia os campos desta página',
    stays: 'A sessão não pôde ser encerrada. Tente de novo.',
  },
  en: {
    home: 'Home',
    enter: 'Log in',
    user: 'User',
    password: 'Password',
    system: 'System (App_name)',
    key: 'Key of the system (Api_key)',
    entered: 'Session of',
    unreachable: 'The service did not answer. Try again.',
    leave: 'Log out and clear',
    leaving: 'Ends the session and empties the fields of this page',
    stays: 'The session could not be ended. Try again.',
  },
} satisfies Record<Language, Record<string, string>>;

/**
 * A bar above an editor. Its form logs in, and the page's requests get the token. Its button ends the sessions that
 * were opened or used on the page, and clears the page.
 */
export function bar(language: Language, basePath: string): string {
  const text = texts[language];
  const field = (name: string, label: string, rest: string): string =>
    `<label>${label}<input name="${name}" required ${rest}></label>`;
  return `<header id="session" data-entered="${text.entered}" data-unreachable="${text.unreachable}" data-stays="${text.stays}">
<h1><a href="${basePath}/" aria-label="${SERVICE}: ${text.home}"><img src="${ICON}" alt="" width="20" height="20"><span>${SERVICE}</span></a></h1>
<span role="status"></span>
<details><summary>${text.enter}</summary>
<form autocomplete="off">
${field('username', text.user, 'autocapitalize="none" spellcheck="false"')}
${field('password', text.password, 'type="password"')}
${field('app-name', text.system, `value="${headers['app-name']}"`)}
${field('api-key', text.key, `value="${headers['api-key']}" spellcheck="false"`)}
<p role="alert"></p>
<button>${text.enter}</button>
</form></details>
<button type="button" title="${text.leaving}">${text.leave}</button>
</header>`;
}
