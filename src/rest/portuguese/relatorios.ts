/** Texts of the reports in Portuguese, by the English ones. */
export const relatorios = {
  'Reports that the caller may run': 'Relatórios que quem consulta pode executar',
  'What a report that the caller may run can be asked with':
    'O que se pode pedir em um relatório que quem consulta pode executar',
  'Identifier of the report': 'Identificador do relatório',
  'Teachers with their plans, and which share of these is at which step':
    'Docentes com seus planos, e que parcela destes está em que etapa',
  'Whether to send the whole report as a PDF': 'Se envia o relatório inteiro em PDF',
  'Whether to send the whole report as a spreadsheet': 'Se envia o relatório inteiro em planilha',
  'How the pages of the PDF lie': 'Orientação das páginas do PDF',
  'Teaching plans by course, and which share of these stands how':
    'Planos de ensino por curso, e que parcela destes está em que situação',
  'Teaching plans by department, and which share of these stands how':
    'Planos de ensino por departamento, e que parcela destes está em que situação',
  'Teaching plans by course, and which share of these is at which step':
    'Planos de ensino por curso, e que parcela destes está em que etapa',
  'All teaching plans, and which share of them stands how and is at which step':
    'Todos os planos de ensino, e que parcela deles está em que situação e em que etapa',
  'Teaching plans that moved in the last days, and which share of a semester stands how':
    'Planos de ensino que tramitaram nos últimos dias, e que parcela de um semestre está em que situação',
  'Only plans whose latest step is at most so many days before today; 0 for today alone':
    'Só planos cuja última etapa foi há no máximo tantos dias; 0 para só hoje',
  'Only plans that came to their step more than so many days before today, and have not come to the last step':
    'Só planos que chegaram à sua etapa há mais do que tantos dias e ainda não chegaram à última',
  'What is in stock: how much of which batch is where': 'O que está em estoque: quanto de que lote está onde',
  'Whether to show places where nothing is left, too': 'Se mostra também os lugares em que nada resta',
  'What left stock for good: consumption and disposal, and their reversals':
    'O que saiu do estoque de vez: consumo e descarte, e seus estornos',
  'What is in stock of the materials under legal control':
    'O que está em estoque dos materiais sob controle legal',
  'Effective movements of the materials under legal control':
    'Movimentações efetivadas dos materiais sob controle legal',
  'A report that can be run.': 'Um relatório que pode ser executado.',
  'Identifier of the row within the report': 'Identificador da linha no relatório',
  'Name of its files, such as `materiais-estocados`': 'Nome de seus arquivos, como `materiais-estocados`',
  Title: 'Título',
  'State: active, like every report that is there: `A` active, `I` inactive':
    'Situação: ativo, como todo relatório que existe: `A` ativo, `I` inativo',
  'GraphQL query that answers it': 'Query GraphQL que o atende',
  'REST path that answers it; with `pdf=true` or `planilha=true` as a file':
    'Caminho REST que o atende; com `pdf=true` ou `planilha=true`, em arquivo',
  'Controller on which level 1 allows to run it': 'Controller em que o nível 1 permite executá-lo',
  'Something that a report can be asked with.': 'Algo que se pode pedir em um relatório.',
  'Name under which it is given': 'Nome com que é dado',
  '`integer` a whole number, `string` a text, `boolean` true or false, `date` a calendar day, YYYY-MM-DD, `enum` one of the listed values':
    '`integer` um número inteiro, `string` um texto, `boolean` true ou false, `date` um dia do calendário, YYYY-MM-DD, `enum` um dos valores listados',
  'Whether it must be given': 'Se precisa ser dado',
  'What counts when it is not given': 'O que vale quando não é dado',
  'The only values that it may have': 'Os únicos valores que pode ter',
  'What it does, in the language of the client': 'O que faz, na língua do cliente',
  'That somebody teaches by a plan. Shares are those of the plans of the teacher.':
    'Que alguém é docente de um plano. As parcelas são dos planos do docente.',
  'Which row it is. Its figures depend on the filters, so this is not an identity':
    'Que linha é. Seus números dependem dos filtros, por isso não é um identificador',
  'Key of the course of studies': 'Chave do curso',
  'How the course is taught': 'Modalidade do curso',
  'Key of the department': 'Chave do departamento',
  'Semester of the year': 'Semestre do ano',
  'Person who teaches; the first by key where several do': 'Docente; o primeiro pela chave, se há vários',
  'Every person who teaches': 'Todos os docentes',
  'Names of who teaches, `; ` between them': 'Nomes dos docentes, com `; ` entre eles',
  'Code of the situation': 'Código da situação',
  'How the plan stands': 'Situação do plano',
  "Per cent of the group's plans that stand so": 'Por cento dos planos do grupo que estão nesta situação',
  'Step of its way where the plan is': 'Etapa da tramitação em que está o plano',
  "Per cent of the group's plans that are at this step":
    'Por cento dos planos do grupo que estão nesta etapa',
  'How many plans the group has, of which the shares are taken':
    'Quantos planos tem o grupo de que se tiram as parcelas',
  'A teaching plan. Shares are those of the plans of the course.':
    'Um plano de ensino. As parcelas são dos planos do curso.',
  'A teaching plan. Shares are those of the plans of the department.':
    'Um plano de ensino. As parcelas são dos planos do departamento.',
  'A teaching plan. Shares are those of all plans that the filters leave.':
    'Um plano de ensino. As parcelas são de todos os planos que os filtros deixam.',
  'A teaching plan. Shares are those of the plans of its semester whose latest step is in the time asked for.':
    'Um plano de ensino. As parcelas são dos planos de seu semestre cuja última etapa está no tempo pedido.',
  'Day on which it came to its step': 'Dia em que chegou à sua etapa',
  'How many days before today that was': 'Há quantos dias foi',
  'The same while its step is not the last one of the way; null at the last step':
    'O mesmo enquanto sua etapa não é a última da tramitação; null na última',
  'How much of a batch is at a place.': 'Quanto de um lote está em um lugar.',
  'Key of the batch': 'Chave do lote',
  'Key of the material': 'Chave do material',
  'What the material is': 'O que é o material',
  'CAS registry number': 'Número de registro CAS',
  'Day on which the batch expires': 'Dia em que o lote vence',
  'Key of the location that answers for it': 'Chave do local responsável',
  'Key of the location where it is stored': 'Chave do local de armazenamento',
  'Whether nothing is left there': 'Se nada resta ali',
  'That something left stock for good. A reversal brings it back: its quantity is negative.':
    'Que algo saiu do estoque de vez. Um estorno o traz de volta: sua quantidade é negativa.',
  'When it left': 'Quando saiu',
  'Kind of movement; `Estorno de …` for a reversal': 'Tipo de movimentação; `Estorno de …` para um estorno',
  'Whether it is a reversal': 'Se é um estorno',
  'When the batch first entered stock': 'Quando o lote entrou no estoque pela primeira vez',
  'Location that answered for it': 'Local que era o responsável',
  'How much, in the unit of the material; negative where a reversal brought it back':
    'Quantidade, na unidade do material; negativa se um estorno a trouxe de volta',
  'How much of it reversals have undone since': 'Quanto dela os estornos desfizeram desde então',
  'How much of a controlled material is at a place, all its batches together.':
    'Quanto de um material controlado está em um lugar, com todos os lotes somados.',
  'Key of the control type': 'Chave do tipo de controle',
  'An effective movement of a controlled material. The quantity of a reversal is negative.':
    'Uma movimentação efetivada de um material controlado. A quantidade de um estorno é negativa.',
  'When it moved': 'Quando foi movimentado',
  'Legal control under which the material stands': 'Controle legal a que está sujeito o material',
  Authority: 'Órgão',
  'Code of the batch': 'Código do lote',
  'Number of its invoice': 'Número de sua nota fiscal',
  'Key of the location that answers for it afterwards, or did before':
    'Chave do local responsável depois, ou antes se não há depois',
  'Location that answers for it afterwards, or did before':
    'Local responsável depois, ou antes se não há depois',
  'Key of the location where it is stored afterwards, or was before':
    'Chave do local de armazenamento depois, ou antes se não há depois',
  'Location where it is stored afterwards, or was before':
    'Local de armazenamento depois, ou antes se não há depois',
  'Key of the location that answered before a transfer':
    'Chave do local responsável antes de uma transferência',
  'Location that answered before a transfer': 'Local responsável antes de uma transferência',
  'Key of the location that stored before a transfer':
    'Chave do local de armazenamento antes de uma transferência',
  'Location where it was stored before a transfer': 'Local de armazenamento antes de uma transferência',
  'How much, in the unit of the material; negative for a reversal':
    'Quantidade, na unidade do material; negativa em um estorno',
};
