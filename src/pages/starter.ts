import type { Language } from '../messages.ts';

const variables = { input: { username: '', password: '' } };

export const headers = { token: '', 'app-name': 'SII', appversion: '1.0.0', 'api-key': 'sii-demo-key' };

const login = `mutation Entrar($input: LoginInput!) {
  entrar(input: $input) {
    token
    expiraEm
    pessoa { nome }
  }
}
`;

/** Queries of docs/graphql.md: a filter and an ordering, pages of linked records, sums. */
const [materials, places, used] = [
  `query Materiais {
  materiais(
    filter: { titulo: { contains: "acido" } }
    orderBy: [{ titulo: asc }]
    itemsPerPage: 2
  ) {
    total
    data {
      titulo
      numeroCas
      unidadeMedida { sigla }
      riscos { classificacaoRisco { risco } }
    }
  }
}
`,
  `query Laboratorios {
  locais(
    filter: { sigla: { ne: "ALMOX" } }
    orderBy: [{ sigla: asc }]
    itemsPerPage: 2
  ) {
    data {
      nome
      estoquesByLocalFim(
        filter: {
          quantidade: { gt: 0 }
          lote: {
            material: {
              tipoControle: { exigeAprovacao: { eq: true } }
            }
          }
        }
        orderBy: [{ lote: { dataVenc: asc } }]
        itemsPerPage: 1
      ) {
        total
        data {
          quantidade
          lote { codLote dataVenc material { titulo } }
        }
      }
    }
  }
}
`,
  `query MaisUsados {
  movimentacoesEstoque(
    filter: {
      tipoMovimentacao: { descricao: { eq: "Saída" } }
      statusMovimentacao: {
        descricao: { eq: "Efetivada" }
      }
      lote: {
        material: {
          tipoControle: { exigeAprovacao: { eq: true } }
        }
      }
    }
  ) {
    summary { count min { data } }
    groups(
      by: [{
        lote: {
          material: {
            titulo: true
            unidadeMedida: { sigla: true }
          }
        }
      }]
      orderBy: [{ count: desc }]
      first: 2
    ) {
      key {
        lote {
          material { titulo unidadeMedida { sigla } }
        }
      }
      count
      sum { quantidade }
    }
  }
}
`,
] as const;

// The password is a variable, because an editor may write the document into the address of its page.
const first = {
  pt: `# 1. Execute Entrar com usuário e senha escritos
#    em Variables, nesta forma:
#    ${JSON.stringify(variables)}`,
  en: `# 1. Run Entrar with user name and password
#    written in Variables, in this form:
#    ${JSON.stringify(variables)}`,
};

const inSandbox = {
  pt: `# 2. Copie o token da resposta para o cabeçalho
#    token, em Headers, onde já estão os que
#    Entrar exige: app-name, appversion e api-key.
# 3. Execute Materiais.`,
  en: `# 2. Copy the token of the answer to the header
#    token, in Headers. Those that Entrar needs are
#    there already: app-name, appversion, api-key.
# 3. Run Materiais.`,
};

const inTabs = {
  pt: `#    Depois, esta página usa o token da resposta
#    em todas as abas.
# 2. Execute Materiais, ou abra outra aba.
# Ctrl+Enter executa, Esc sai do editor.`,
  en: `#    Then this page uses the token of the answer
#    in all tabs.
# 2. Run Materiais, or open another tab.
# Ctrl+Enter runs, Esc leaves the editor.`,
};

/** The initial document of the Sandbox: a login and a first list. */
export const starter = (language: Language) => ({
  document: `${first[language]}\n${inSandbox[language]}\n\n${login}\n${materials}`,
  variables,
  headers,
});

const asTab = (query: string) => ({ query, headers: JSON.stringify(headers, null, 2) });

/** The tabs of GraphiQL. */
export const tabs = (language: Language) => [
  asTab(`${first[language]}\n${inTabs[language]}\n\n${login}\n${materials}`),
  asTab(places),
  asTab(used),
];
