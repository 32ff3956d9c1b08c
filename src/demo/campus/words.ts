import type { Random } from './random.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

const FIRST = words(`
  Adélia Adriana Afonso Aírton Alana Aldo Alexandre Aline Álvaro Amália Ana André Ângela Ângelo Antônia Antônio Araci
  Arthur Aurélio Bárbara Beatriz Benício Bento Berenice Bernardo Betânia Bianca Brígida Bruno Caetano Caio Camila Carla
  Carlos Cássia Cauã Cecília Célia Célio César Cíntia Clara Cláudia Cláudio Conceição Cristóvão Daniel Davi Débora Denise
  Diogo Edith Eduardo Élcio Eliana Elisângela Emanuel Emília Enéas Érica Estêvão Eugênia Fabiana Fábio Fátima Felipe
  Fernanda Flávia Flávio Francisca Gabriel Geovana Gérson Gilson Glória Guilherme Gustavo Heitor Helena Heloísa Hércules
  Hugo Iara Inácio Inês Íris Isabela Ítalo Ivone Jaqueline Jéssica Joana João Joaquim Jônatas Jorge José Josué Júlia Júlio
  Karina Lara Larissa Laura Lázaro Leandro Letícia Lívia Luana Lucas Lúcia Luís Luísa Luzia Marcelo Márcia Márcio Marcos
  Maria Mariana Marília Mário Marta Mateus Maurício Mônica Murilo Nádia Natália Nelson Nicolas Nívea Núbia Olívia Otávio
  Patrícia Paulo Pedro Priscila Rafael Raíssa Raquel Raul Regina Renata Renato Ricardo Rita Roberto Rodrigo Rogério Rômulo
  Rosângela Samuel Sandra Sebastião Sérgio Silvana Simão Sofia Sônia Tainá Tânia Tatiana Teófilo Teresa Thaís Tiago Tomás
  Úrsula Valéria Vânia Verônica Vicente Vinícius Vitória Vívian Wagner Wellington Yara Yasmin Zélia Zuleica`);

const LAST = words(`
  Abreu Aguiar Albuquerque Alencar Almeida Alves Amaral Andrade Antunes Aragão Araújo Assunção Ávila Azevedo Barbosa Barreto
  Barros Bastos Batista Bezerra Borges Braga Brandão Brito Bueno Cabral Caldeira Câmara Camargo Campos Cardoso Carneiro
  Carvalho Castro Cavalcanti Chaves Conceição Cordeiro Corrêa Costa Coutinho Couto Cunha Dantas Dias Domingues Duarte Esteves
  Fagundes Falcão Farias Fernandes Ferrão Ferraz Ferreira Figueiredo Fonseca Fontes Franco Freire Freitas Furtado Galvão
  Garcia Gomes Gonçalves Goulart Guimarães Gusmão Henriques Holanda Jardim Lacerda Leal Leão Leite Lemos Lima Lins Lisboa
  Lopes Macedo Machado Magalhães Maia Malta Marinho Marques Martins Matos Medeiros Meireles Melo Mendes Menezes Miranda
  Monteiro Moraes Moreira Mota Moura Muniz Nascimento Negrão Neves Nóbrega Nogueira Novaes Nunes Oliveira Pacheco Paiva
  Paixão Palhares Peçanha Peixoto Pereira Pessoa Pimentel Pinheiro Pires Porto Prado Queirós Quintão Ramalho Ramos Rangel
  Rebouças Rezende Ribeiro Rocha Rodrigues Sá Sales Salgado Sampaio Santana Santiago Santos Saraiva Seixas Serrão Silva
  Silveira Simões Soares Sobral Sousa Tavares Teixeira Teles Tôrres Trindade Valadão Vargas Vasconcelos Veiga Viana Vieira
  Vilela Xavier`);

const PARTICLES = ['', '', '', 'da ', 'de ', 'do ', 'dos ', 'e '];

/** A Brazilian name of three to five words. */
export function personName(random: Random): string {
  const second = random.happens(0.35) ? ` ${random.of(FIRST)}` : '';
  return `${random.of(FIRST)}${second} ${random.of(LAST)} ${random.of(PARTICLES)}${random.of(LAST)}`;
}

export const firstName = (random: Random): string => random.of(FIRST);

const SUBJECTS =
  `Administração|Agronomia|Antropologia|Arquitetura e Urbanismo|Artes Cênicas|Artes Visuais|Bioquímica|Biotecnologia|Botânica|Ciência da Computação|Ciência e Tecnologia de Alimentos|Ciências Contábeis|Ciências Sociais|Comunicação Social|Direito|Ecologia|Economia|Educação Física|Enfermagem|Engenharia Ambiental|Engenharia Civil|Engenharia de Materiais|Engenharia de Produção|Engenharia Elétrica|Engenharia Florestal|Engenharia Mecânica|Engenharia Química|Estatística|Farmácia|Farmacologia|Filosofia|Física|Fisioterapia|Fonoaudiologia|Genética|Geociências|Geografia|Gestão Pública|História|Imunologia|Jornalismo|Letras Clássicas e Vernáculas|Línguas Estrangeiras Modernas|Linguística|Matemática|Medicina|Medicina Veterinária|Microbiologia|Música|Nutrição|Oceanografia|Odontologia|Parasitologia|Pedagogia|Psicologia|Química Analítica|Química Inorgânica|Química Orgânica|Relações Internacionais|Saúde Coletiva|Serviço Social|Sociologia|Terapia Ocupacional|Zoologia`.split(
    '|',
  );

const INSTITUTES =
  `Instituto de Ciências Exatas, da Terra e Tecnologias Aplicadas|Instituto de Ciências Biológicas, Naturais e da Saúde Coletiva|Faculdade de Filosofia, Letras, Comunicação e Ciências Humanas|Escola Politécnica de Engenharias e Desenvolvimento Sustentável|Faculdade de Educação, Formação de Professores e Inclusão|Centro de Estudos Avançados Multidisciplinares do Semiárido`.split(
    '|',
  );

/** The subject with this number. After the last name the names repeat with a suffix. */
export const subject = (i: number): string => {
  const again = Math.floor(i / SUBJECTS.length);
  return (
    SUBJECTS[i % SUBJECTS.length]! +
    (again ? ` ${'I'.repeat(Math.min(again, 3))}${again > 3 ? again : ''}` : '')
  );
};

/** A department with its institute, as it stands on signs and letterheads: up to 200 characters. */
export const department = (i: number): string =>
  `${INSTITUTES[i % INSTITUTES.length]!} – Departamento de ${subject(i)}`;

export const SENTENCES =
  `Fundamentos históricos, conceitos e métodos da área.|Modelos, hipóteses e limites de validade; exemplos do cotidiano e da pesquisa.|Medidas, incertezas e apresentação de resultados.|Estudo dirigido de artigos, com discussão em grupo.|Aplicações à saúde, à indústria e ao meio ambiente.|Projeto de semestre, em equipes de três a cinco estudantes.|Ética, segurança e legislação brasileira pertinente.|Relações entre teoria e prática; visita técnica.`.split(
    '|',
  );

export const GRADES =
  `P.A.|P.A. ACS|grau HPLC|grau UV/HPLC|grau técnico|USP|extra puro|para síntese|para análise de traços|para biologia molecular|padrão analítico|reagente de referência`.split(
    '|',
  );
export const PACKAGES =
  `ampola|bisnaga|bombona|caixa com 6|caixa com 12|frasco âmbar|frasco de polietileno|frasco de vidro|galão|kit|sachê|tambor`.split(
    '|',
  );
export const SUPPLIERS =
  `Alfa Reagentes|Atlântica|Boreal Química|Cerrado Lab|Delta Analítica|Érgon|Guanabara|Ipê Química|Meridional|Órion|Planalto|Tropical Lab`.split(
    '|',
  );
