/** The texts of the windows about ends of roles, which a page fetches when one opens. */
export const roleEndForms = {
  alreadyHave_one: '{{selected}} 个用户中有 {{count}} 个已拥有此角色。',
  alreadyHave_other: '{{selected}} 个用户中有 {{count}} 个已拥有此角色。',
  changeTitle: '{{name}} 的 {{role}} 何时到期？',
  changed: '已修改到期时间。',
  ends: '到期时间',
  lackIt_one: '{{selected}} 个用户中有 {{count}} 个没有此角色。',
  lackIt_other: '{{selected}} 个用户中有 {{count}} 个没有此角色。',
  madeEligible: '该用户现在可以启用此角色。',
  makeEligibleTitle: '允许 {{name}} 启用角色',
  maxMinutes: '每次最多分钟数',
  never: '永不过期',
  role: '角色',
  selectFirst: '请选择用户，以查看他们将获得的权限。',
  toDisabled_one: '其中 {{count}} 个用户已停用：会立即获得该角色，但启用后才能使用。',
  toDisabled_other: '其中 {{count}} 个用户已停用：会立即获得该角色，但启用后才能使用。',
}

export const elevationForm = {
  minutes: '分钟数',
  none: '您没有可启用的角色。管理员可以授予您资格。',
  reason: '原因',
  reasonHint: '审计日志会保存它。',
  role: '角色',
  start: '启用',
  started: '您已拥有角色 {{role}}，有效至 {{time}}。',
  text: '角色仅在此会话中有效。',
}
