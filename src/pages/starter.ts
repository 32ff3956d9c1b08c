const variables = { input: { username: '', password: '' } };

/** The initial document of GraphiQL and the Sandbox: a login and a first list. */
export const starter = {
  // The password is a variable, because GraphiQL writes the document into the address of the page.
  document: `# 1. Execute Entrar com usuário e senha escritos
#    em Variables, nesta forma:
#    ${JSON.stringify(variables)}
# 2. Copie o token da resposta para o cabeçalho
#    token, em Headers, onde já estão os que
#    Entrar exige: app-name, appversion e api-key.
# 3. Execute Materiais.

mutation Entrar($input: LoginInput!) {
  entrar(input: $input) {
    token
    expiraEm
    pessoa { nome }
  }
}

query Materiais {
  materiais(
    pagination: true
    itemsPerPage: 5
    titulo: "acido"
    orderByTitulo: asc
  ) {
    total
    data {
      id
      titulo
      numeroCas
      unidadeMedida { sigla }
      tipoControle { descricao }
      riscos { classificacaoRisco { risco } }
    }
  }
}
`,
  variables,
  headers: { token: '', 'app-name': 'SII', appversion: '1.0.0', 'api-key': 'sii-demo-key' },
};
