/** Condition on control type `c`: materials of this type are under legal control. One type means "no control". */
export const CONTROLLED = `(c.exige_aprovacao or c.orgao_controlador is not null)`;
