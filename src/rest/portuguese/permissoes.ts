/** Texts of logins, people and permissions in Portuguese, by the English ones. */
export const permissoes = {
  'Logs in. Needs the headers `app-name`, `appversion` and `api-key`, and no token.':
    'Entra no serviço. Precisa dos cabeçalhos `app-name`, `appversion` e `api-key`, e de nenhum token.',
  'Version of the calling application': 'Versão do aplicativo que chama',
  'User name': 'Nome de usuário',
  Password: 'Senha',
  'Live token of the same person, whose session this login replaces':
    'Token vivo da mesma pessoa, cuja sessão este login substitui',
  "Sets a password: one's own, or another's with level 3 on `auth/senha` and on everything that they hold. Ends that person's other sessions.":
    'Define uma senha: a própria ou, com nível 3 em `auth/senha` e em tudo o que a pessoa tem, a de outra. Encerra as outras sessões dessa pessoa.',
  'User name of the person whose password it is': 'Nome de usuário da pessoa de quem é a senha',
  'New password, at least 10 characters, not white space alone and not the user name':
    'Nova senha, com ao menos 10 caracteres, não só espaços, e diferente do nome de usuário',
  'Families of operations on which permissions are given':
    'Controllers: famílias de operações para as quais se dão permissões',
  'Adds a controller': 'Inclui um controller',
  'Path without the leading slash: `almoxarifadoquimicos/materiais`':
    'Caminho sem a barra inicial: `almoxarifadoquimicos/materiais`',
  '`A` active (when absent), `I` inactive': '`A` ativo (quando ausente), `I` inativo',
  'System that offers it': 'Sistema que o oferece',
  'One controller': 'Um controller',
  'Changes a controller': 'Altera um controller',
  'Deletes a controller and answers it as it stood': 'Exclui um controller e o devolve como estava',
  'Lines of menus': 'Itens de menu',
  'Adds a line to a menu': 'Inclui um item em um menu',
  'Menu in which it stands': 'Menu em que está',
  'Controller that it opens': 'Controller que abre',
  'One line of a menu': 'Um item de menu',
  'Changes a line of a menu': 'Altera um item de menu',
  'Deletes a line of a menu and answers it as it stood': 'Exclui um item de menu e o devolve como estava',
  'Menus that systems show at their side': 'Menus laterais dos sistemas',
  'Adds a menu': 'Inclui um menu',
  'What it leads to': 'Aonde leva',
  'System that shows it': 'Sistema que o mostra',
  'One menu': 'Um menu',
  'Changes a menu': 'Altera um menu',
  'Deletes a menu and answers it as it stood': 'Exclui um menu e o devolve como estava',
  'Systems that may call; never their keys': 'Sistemas que podem chamar; nunca suas chaves',
  "What stands behind a live token, one's own or with level 3 another's; null behind any other":
    'O que há por trás de um token vivo, do próprio ou, com nível 3, do de outra pessoa; null por trás de qualquer outro',
  'Token of a login': 'Token de um login',
  'Logins, ended ones included; never their tokens': 'Logins, também os encerrados; nunca seus tokens',
  'One login': 'Um login',
  'Identifier of the session': 'Identificador da sessão',
  'Its token, which then must be that of this session': 'Seu token, que então precisa ser o desta sessão',
  'Roles, in every system': 'Perfis, de todos os sistemas',
  'Only profiles that this person has': 'Só perfis que esta pessoa tem',
  'Adds a role': 'Inclui um perfil',
  'Whom it is for': 'Para quem é',
  'System in which it counts': 'Sistema em que vale',
  'One role': 'Um perfil',
  'Changes a role': 'Altera um perfil',
  'Deletes a role that nothing belongs to and answers it as it stood':
    'Exclui um perfil a que nada pertence e o devolve como estava',
  'Which profiles give access to which resources': 'Que perfis dão acesso a que recursos',
  'One link of a profile to a resource': 'Uma ligação de um perfil a um recurso',
  'What profiles may do on which controllers': 'O que os perfis podem em que controllers',
  'Lets a profile do something': 'Permite algo a um perfil',
  'What it gives': 'O que dá',
  'Profile, where `id_perfil_recurso` is absent': 'Perfil, se `id_perfil_recurso` estiver ausente',
  'Resource, where `id_perfil_recurso` is absent': 'Recurso, se `id_perfil_recurso` estiver ausente',
  'Profile and resource it belongs to': 'Perfil e recurso a que pertence',
  'Line of a menu that it shows': 'Item de menu que mostra',
  'Controller it is about; none: every controller of the system':
    'Controller de que trata; se nenhum, todos os controllers do sistema',
  'Module of the calling application': 'Módulo do aplicativo que chama',
  '1 read (when absent), 2 write, 3 manage': '1 leitura (quando ausente), 2 escrita, 3 gestão',
  'Its place among the others': 'Seu lugar entre os outros',
  'What a profile may do on one controller': 'O que um perfil pode em um controller',
  'Changes what a profile may do': 'Altera o que um perfil pode',
  'Deletes what a profile may do and answers it as it stood':
    'Exclui o que um perfil pode e o devolve como estava',
  'Parts of systems to which profiles give access': 'Partes de sistemas às quais os perfis dão acesso',
  'Adds a resource': 'Inclui um recurso',
  'What it offers': 'O que oferece',
  '`G` not explained by the specification, `U` not explained by the specification':
    '`G` sem explicação na especificação, `U` sem explicação na especificação',
  'System it is part of': 'Sistema de que faz parte',
  'One resource': 'Um recurso',
  'Changes a resource': 'Altera um recurso',
  'Deletes a resource and answers it as it stood': 'Exclui um recurso e o devolve como estava',
  'Systems that call this service, or whose permissions it keeps':
    'Sistemas que chamam este serviço, ou cujas permissões ele guarda',
  'Adds a system': 'Inclui um sistema',
  'Acronym, by which it names itself when it calls': 'Sigla com que se identifica quando chama',
  'What it is for': 'Para que serve',
  'Kind of system, one character': 'Tipo de sistema, um caractere',
  'Department that answers for it': 'Órgão que responde por ele',
  'One system': 'Um sistema',
  'Changes a system': 'Altera um sistema',
  'Deletes a system that nothing belongs to and answers it as it stood':
    'Exclui um sistema a que nada pertence e o devolve como estava',
  'Who has which profile': 'Quem tem que perfil',
  'Only of profiles that give something on this controller': 'Só de perfis que dão algo neste controller',
  'Gives a person a profile, also one that was taken before':
    'Dá um perfil a uma pessoa, também um que foi retirado antes',
  Person: 'Pessoa',
  'Profile the person has': 'Perfil que a pessoa tem',
  'Which profiles a person has': 'Que perfis uma pessoa tem',
  'Changes who has a profile': 'Altera quem tem um perfil',
  'Takes a profile from a person: the permission is kept, inactive':
    'Retira um perfil de uma pessoa: a permissão é mantida, inativa',
  'The side menu: menus in order, each with its lines, of all profiles of the caller':
    'O menu lateral: os menus em ordem, cada um com seus itens, de todos os perfis de quem consulta',
  'Of this profile alone': 'Só deste perfil',
  'Who may enter at all': 'Quem pode entrar',
  'Lets a person enter, also one whose access was taken before':
    'Permite a entrada de uma pessoa, também de uma cujo acesso foi retirado antes',
  "Takes a person's access and ends their sessions; the record is kept, inactive":
    'Retira o acesso de uma pessoa e encerra suas sessões; o registro é mantido, inativo',
  'People, found by either of their names; without level 1 oneself alone':
    'Pessoas, encontradas por qualquer de seus nomes; sem o nível 1, só a própria',
  'Lets a person in with a profile, all at once: the person if they are new, the profile, and the access to the environment. What is so already stays so. Also needs level 2 on `permissoes/permissoes`.':
    'Admite uma pessoa com um perfil, de uma só vez: a pessoa se for nova, o perfil, e o acesso ao ambiente. O que já é assim continua assim. Precisa também do nível 2 em `permissoes/permissoes`.',
  'A person who is known already': 'Uma pessoa já cadastrada',
  'User name for the login, in lower case': 'Nome de usuário para o login, em minúsculas',
  'Name in the civil register': 'Nome no registro civil',
  'Social name, where the person has one': 'Nome social, se a pessoa tem um',
  'E-mail address, in lower case': 'Endereço de e-mail, em minúsculas',
  'CPF, whose punctuation does not count': 'CPF, com ou sem pontuação',
  'One person': 'Uma pessoa',
  'Identifier of the person': 'Identificador da pessoa',
  'Ends everything by which a person acts, all at once: access, sessions, profiles, laboratories and managerial accounts. Needs level 3 on all that the person may do, and on laboratories and accounts that they hold.':
    'Desliga uma pessoa: encerra de uma só vez tudo por que ela age, que são acesso, sessões, perfis, laboratórios e contas gerenciais. Precisa do nível 3 em tudo o que a pessoa pode, e nos laboratórios e nas contas que ela tem.',
  'Somebody who may use the service.': 'Alguém que pode usar o serviço.',
  'Name by which the person is called: the social name, or the civil name if there is none':
    'Nome pelo qual a pessoa é chamada: o nome social ou, se não houver, o nome civil',
  'A family of operations on which permissions are given, named by its path.':
    'Um controller: família de operações para a qual se dão permissões, nomeada por seu caminho.',
  'A system that calls this service, or whose permissions it keeps.':
    'Um sistema que chama este serviço, ou cujas permissões ele guarda.',
  'Address of its first page': 'Endereço de sua página inicial',
  'A line of a menu. A profile shows it by an item of its own.':
    'Um item de menu. Um perfil o mostra por um item próprio.',
  'A menu that a system shows at its side.': 'Um menu lateral de um sistema.',
  'A system that may call, which is one with a live key.':
    'Um sistema que pode chamar, isto é, um que tem uma chave viva.',
  'State: an inactive system may not call: `A` active, `I` inactive':
    'Situação: um sistema inativo não pode chamar: `A` ativo, `I` inativo',
  'Failed logins in 15 minutes that are allowed through it, whoever fails; null: as many as of any address':
    'Falhas de login em 15 minutos permitidas por ele, falhe quem falhar; null: tantas quantas as de um endereço qualquer',
  'Version that it sent at its last login': 'Versão que informou em seu último login',
  'When one of its keys was last used, to the minute':
    'Quando uma de suas chaves foi usada pela última vez, ao minuto',
  'What stands behind a live token.': 'O que há por trás de um token vivo.',
  'When the token expires': 'Quando o token expira',
  'System through which the person logged in': 'Sistema pelo qual a pessoa entrou',
  'Person who logged in': 'Pessoa que entrou',
  'Active profiles of the person': 'Perfis ativos da pessoa',
  'What the person may do': 'O que a pessoa pode',
  'A system in which a person has a profile.': 'Um sistema em que uma pessoa tem um perfil.',
  'Who logged in.': 'Quem entrou.',
  'A profile that somebody who logged in has.': 'Um perfil de alguém que entrou.',
  'A level that a person has on a controller, and through which profile.':
    'Um nível que uma pessoa tem em um controller, e por que perfil.',
  'Profile that gives it': 'Perfil que o dá',
  'Name of the profile': 'Nome do perfil',
  'Acronym of the system': 'Sigla do sistema',
  'Controller; null for every one of the system': 'Controller; null para todos os do sistema',
  '1 read, 2 write, 3 manage': '1 leitura, 2 escrita, 3 gestão',
  'A login that holds until it expires or is ended. Its token is never shown again.':
    'Um login que vale até expirar ou ser encerrado. Seu token nunca é mostrado de novo.',
  'Network address of the login': 'Endereço de rede do login',
  'When it expires': 'Quando expira',
  'When it was ended before its time': 'Quando foi encerrado antes do tempo',
  'A role: what whoever holds it may do in a system.':
    'Um perfil: o que quem o tem pode fazer em um sistema.',
  'That a profile gives access to a resource.': 'Que um perfil dá acesso a um recurso.',
  Profile: 'Perfil',
  Resource: 'Recurso',
  'A part of a system to which profiles give access.': 'Uma parte de um sistema à qual os perfis dão acesso.',
  'What a profile may do on one controller, or on every controller of its system.':
    'O que um perfil pode em um controller, ou em todos os controllers de seu sistema.',
  'Profile it belongs to': 'Perfil a que pertence',
  'Resource it belongs to': 'Recurso a que pertence',
  'That a person has a profile.': 'Que uma pessoa tem um perfil.',
  'A menu, ready to be drawn.': 'Um menu, pronto para ser desenhado.',
  'Identifier of the menu': 'Identificador do menu',
  'Its lines, in order': 'Seus itens, em ordem',
  'A line of the side menu.': 'Um item do menu lateral.',
  'Identifier of the line': 'Identificador do item',
  'Level that the profiles give on it: 1 read, 2 write, 3 manage':
    'Nível que os perfis dão nele: 1 leitura, 2 escrita, 3 gestão',
  'Open alerts at the line of the alerts, and movements that wait at that of the approvals, if the caller may read them; null at all other lines':
    'Alertas abertos, no item dos alertas, e movimentações que aguardam, no das aprovações, se quem consulta pode lê-los; null em todos os outros itens',
  'Controller that a line of the side menu opens.': 'Controller que um item do menu lateral abre.',
  'Path without the leading slash': 'Caminho sem a barra inicial',
  'That a person may enter at all. Without it neither login nor token works.':
    'Que uma pessoa pode entrar. Sem isso não funcionam nem login nem token.',
  'A person as those see them who manage access: also by civil name and CPF.':
    'Uma pessoa como a vê quem administra o acesso: também por nome civil e CPF.',
  'When the person was created': 'Quando a pessoa foi criada',
  'When the person was last changed': 'Quando a pessoa foi alterada pela última vez',
  'The same person, as other records show them': 'A mesma pessoa, como outros registros a mostram',
  'CPF, its digits alone': 'CPF, só os dígitos',
  'Whether the person may enter at all: `A` active, `I` inactive':
    'Se a pessoa pode entrar: `A` ativo, `I` inativo',
  'A session that was just opened.': 'Uma sessão recém-aberta.',
  'Send it in the `token` header. It is shown this once.':
    'Envie-o no cabeçalho `token`. É mostrado só esta vez.',
  'Who logged in': 'Quem entrou',
  'System through which they logged in': 'Sistema pelo qual entrou',
  'Systems of those profiles, which have a side menu for the person':
    'Sistemas desses perfis, que têm um menu lateral para a pessoa',
  'A system, as a login shows it.': 'Um sistema, como um login o mostra.',
  'What ended when a person left.': 'O que terminou quando uma pessoa foi desligada.',
  'Whether the person could enter until now': 'Se a pessoa podia entrar até agora',
  'How many sessions were live': 'Quantas sessões estavam vivas',
  'Profiles that the person had': 'Perfis que a pessoa tinha',
  'Laboratories that the person managed, or was to manage':
    'Laboratórios pelos quais a pessoa respondia, ou iria responder',
  'Managerial accounts that the person held': 'Contas gerenciais que a pessoa tinha',
  "What the directory answered about the person's entry, and so whether they may still hold accounts":
    'O que o diretório respondeu sobre a entrada da pessoa, e assim se ela ainda pode ter contas',
  'A laboratory that a person managed.': 'Um laboratório pelo qual uma pessoa respondia.',
  'Identifier of the location': 'Identificador do local',
};
