/** Texts of the academic records in Portuguese, by the English ones. */
export const academico = {
  'Activities of the curriculum that a student took or takes':
    'Atividades do currículo que um discente cursou ou cursa',
  'Enrolment of the student': 'Vínculo do discente',
  'One teaching plan, to whoever teaches by it': 'Um plano de ensino, para quem é docente dele',
  'Identifier of the plan': 'Identificador do plano',
  "How an activity of a student may stand; without level 1 how the caller's own do":
    'Situações em que pode estar uma atividade de um discente; sem o nível 1, as de quem consulta',
  'Enrolments of students': 'Vínculos de discentes',
  'The teaching plans by which the caller teaches, those of the latest semester first':
    'Os planos de ensino de que é docente quem consulta, os do último semestre primeiro',
  'An activity of the curriculum, such as a course unit, that a student took or takes.':
    'Uma atividade do currículo, como uma disciplina, que um discente cursou ou cursa.',
  'Code of the activity': 'Código da atividade',
  'Name of the activity': 'Nome da atividade',
  'Part of the curriculum that it counts for, such as the mandatory units':
    'Parte do currículo para a qual conta, como as disciplinas obrigatórias',
  'Period of the year, from 1': 'Período do ano, a partir de 1',
  'Workload in hours': 'Carga horária em horas',
  'How it stands': 'Situação em que está',
  'That a student is, or was, enrolled in a course.':
    'Vínculo, atual ou passado, de um discente com um curso.',
  'The student': 'O discente',
  'Registration number of the student, its digits as the academic system writes them':
    'Matrícula do discente, com os dígitos que o sistema acadêmico escreve',
  "Which of the student's enrolments it is, from 1": 'Qual dos vínculos do discente é, a partir de 1',
  'Level of the course: 1 undergraduate, 2 specialization, 3 master, 4 doctorate':
    'Nível do curso: 1 graduação, 2 especialização, 3 mestrado, 4 doutorado',
  'Year of admission': 'Ano de ingresso',
  'Name of the course': 'Nome do curso',
  'State of the enrolment, such as Ativo or Formado': 'Situação do vínculo, como Ativo ou Formado',
  'Whether the student may enrol in activities now': 'Se o discente pode agora se matricular em atividades',
  'How an activity of a student stands, such as Aprovado or Em curso.':
    'Situação de uma atividade de um discente, como Aprovado ou Em curso.',
  'Teaching plan: what a discipline teaches in one semester, how, and by whom.':
    'Plano de ensino: o que uma disciplina ensina em um semestre, como, e por quem.',
  'Course of studies': 'Curso',
  'Department that offers the discipline': 'Departamento que oferece a disciplina',
  'Code of the discipline': 'Código da disciplina',
  'Name of the discipline': 'Nome da disciplina',
  'Semester of the year, from 1': 'Semestre do ano, a partir de 1',
  Syllabus: 'Ementa',
  Objectives: 'Objetivos',
  'Programme, unit by unit': 'Programa, unidade por unidade',
  'Teaching method': 'Metodologia de ensino',
  'How students are assessed': 'Como os discentes são avaliados',
  'Basic bibliography, one work a line': 'Bibliografia básica, uma obra por linha',
  'Complementary bibliography, one work a line': 'Bibliografia complementar, uma obra por linha',
  'Step of its way where it is: that of its latest `tramitacoes`':
    'Etapa da tramitação em que está: a da última de `tramitacoes`',
  'Who teaches': 'Docentes',
  'The way that it took, in the order in which it was written': 'A tramitação, na ordem em que foi escrita',
  'A course of studies that the institution offers.': 'Um curso que a instituição oferece.',
  'How it is taught, such as Presencial or A distância': 'Modalidade, como Presencial ou A distância',
  'A unit of the institution, such as a department.':
    'Uma lotação: unidade da instituição, como um departamento.',
  'How a teaching plan stands, such as Aprovado.': 'Situação de um plano de ensino, como Aprovado.',
  'A step of the way that a teaching plan takes, such as the department.':
    'Uma etapa da tramitação de um plano de ensino, como o departamento.',
  'Its place on the way, from 1': 'Seu lugar na tramitação, a partir de 1',
  'That somebody teaches by a teaching plan.': 'Que alguém é docente de um plano de ensino.',
  'The plan': 'O plano',
  'Name of who teaches': 'Nome do docente',
  'That a teaching plan came to a step of its way.':
    'Chegada de um plano de ensino a uma etapa da tramitação.',
  'The step': 'A etapa',
  'When it came there': 'Quando chegou a ela',
  'Who sent it there': 'Quem o enviou',
  'Name of who sent it there': 'Nome de quem o enviou',
};
