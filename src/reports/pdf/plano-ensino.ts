import { PdfDocument } from './document.ts';
import { type Issue } from './issue.ts';

interface Named {
  nome: string;
}

/** A teaching plan as returned by its query. */
export interface TeachingPlan {
  id: number;
  curso: Named & { codigo: string; modalidade: string };
  departamento: Named & { sigla: string | null };
  codigo_disciplina: string;
  nome_disciplina: string;
  carga_horaria: number;
  ano: number;
  semestre: number;
  docentes: Named[];
  ementa: string | null;
  objetivos: string | null;
  programa: string | null;
  metodologia: string | null;
  avaliacao: string | null;
  bibliografia_basica: string | null;
  bibliografia_complementar: string | null;
  situacao: { codigo: string; descricao: string };
  tramitacao_atual: { descricao: string };
  tramitacoes: (Named & { data: string; etapa: { descricao: string }; observacao: string | null })[];
}

/** A teaching plan as a document to sign. */
export function teachingPlan(plan: TeachingPlan, issue: Issue): Uint8Array {
  const { moment, now } = issue;
  const discipline = `${plan.codigo_disciplina} – ${plan.nome_disciplina}`;
  const period = `${plan.ano}, ${plan.semestre}º semestre`;
  const doc = new PdfDocument(issue, {
    title: 'Plano de ensino',
    subject: `${discipline} (${plan.ano}/${plan.semestre})`,
    footer: `Plano de ensino nº ${plan.id} · emitido em ${moment(now)}`,
    side: 20,
  });
  doc.title(discipline);
  doc.fields([
    { label: 'Curso', value: `${plan.curso.nome} – ${plan.curso.modalidade}` },
    { label: 'Departamento', value: plan.departamento.nome },
    { label: 'Período letivo', value: period },
    { label: 'Carga horária', value: `${plan.carga_horaria} horas` },
    { label: 'Docentes', value: plan.docentes.map(docente => docente.nome).join('; '), wide: true },
    { label: 'Situação', value: `${plan.situacao.descricao} (${plan.situacao.codigo})` },
    { label: 'Tramitação atual', value: plan.tramitacao_atual.descricao },
  ]);
  writeContent(doc, plan);
  writeHistory(doc, plan, moment);
  doc.heading('Assinaturas');
  doc.signatures([
    ...plan.docentes.map(({ nome }) => ({ name: nome, role: 'Docente' })),
    { name: 'Chefia do departamento', role: plan.departamento.nome },
    { name: 'Coordenação do curso', role: plan.curso.nome },
  ]);
  return doc.finish();
}

function writeContent(doc: PdfDocument, plan: TeachingPlan): void {
  const sections: [heading: string, text: string | null][] = [
    ['Ementa', plan.ementa],
    ['Objetivos', plan.objetivos],
    ['Programa', plan.programa],
    ['Metodologia', plan.metodologia],
    ['Avaliação', plan.avaliacao],
  ];
  for (const [heading, text] of sections) {
    doc.heading(heading);
    doc.text(text);
  }
  doc.heading('Bibliografia básica');
  doc.text(plan.bibliografia_basica, { hanging: 6 });
  doc.heading('Bibliografia complementar');
  doc.text(plan.bibliografia_complementar, { hanging: 6 });
}

function writeHistory(doc: PdfDocument, { tramitacoes }: TeachingPlan, moment: Issue['moment']): void {
  doc.heading('Tramitação');
  if (tramitacoes.length === 0) return doc.text(null, { missing: 'Ainda sem tramitação.' });
  doc.table({
    columns: [
      { title: 'Etapa', width: 25 },
      { title: 'Desde', width: 18, whole: true },
      { title: 'Encaminhado por', width: 22 },
      { title: 'Observação', width: 35 },
    ],
    rows: tramitacoes
      .toSorted((a, b) => Date.parse(a.data) - Date.parse(b.data))
      .map(({ etapa, data, nome, observacao }) => [
        etapa.descricao,
        moment(new Date(data)),
        nome,
        observacao ?? '',
      ]),
  });
}
