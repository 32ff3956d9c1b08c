/** Condition of control type `c`: materials of this type are under legal control. One type stands for no control. */
export const CONTROLLED = `(c.exige_aprovacao or c.orgao_controlador is not null)`;
