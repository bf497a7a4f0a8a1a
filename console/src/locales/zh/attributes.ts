import type { en } from '../en.ts'

export const attributes: (typeof en)['attributes'] = {
  apply: '筛选',
  edit: '编辑属性',
  filter: '按属性筛选',
  filterHint: '最多三个。须与完整的值相符，不区分大小写。',
  none: '没有属性',
  saved: '属性已保存。',
}

export const schemaForm: (typeof en)['schemaForm'] = {
  no: '否',
  noJson: '这不是有效的 JSON。',
  yes: '是',
}

export const attributeForms: (typeof en)['attributeForms'] = {
  about: '用户和组织的自定义字段，可用于筛选、令牌和目录同步',
  administrators: '管理员',
  administratorsHint: '指组织的管理员。平台管理员拥有全部权限。',
  claim: '令牌声明',
  claimHint: '在您自己的应用的令牌中的名称。留空则不写入令牌。',
  declare: '创建属性',
  delete: '删除',
  deleteText: '其值立即失效，稍后删除。此操作无法撤销。',
  deleteTitle: '删除属性 {{name}}？',
  deleted: '{{key}} 已删除。',
  descriptionHint: '显示在字段旁',
  edit: '编辑',
  editOne: '编辑属性 {{key}}',
  en: '英文名称',
  force: '仍然保存',
  forceHint: '不符合的值仍会保留，但不再生效。',
  group: '分组',
  groupHint: '同组的字段显示在一张卡片中。',
  indexed: '可用于筛选列表',
  indexedHint: '最多 10 个，文本列表除外',
  indexedMark: '筛选',
  key: '键',
  keyFixed: '键不能更改。',
  keyHint: '小写字母、数字和 _，以字母开头',
  marks: '用途',
  nameFault: '请使用 1 至 64 个小写字母、数字和 _，以字母开头。',
  noMatch: '没有符合的属性',
  none: '还没有属性',
  noneText: '声明后，其字段会出现在所有用户或组织的页面上。',
  one: '属性',
  options: '允许的值',
  optionsHint: '留空则允许任意文本',
  others: '模式中的其他规则保持不变：',
  pattern: '格式',
  patternHint: '文本须匹配的正则表达式',
  placeTenant: '组织 {{tenant}}',
  placeUser: '组织 {{tenant}} 的用户 {{id}}',
  refused: '以下的值将不符合',
  saved: '{{key}} 已保存。',
  scim: '目录路径',
  scimHint: '由目录填写，例如 title。管理员须可写入。',
  search: '搜索属性',
  self: '本人',
  selfHint: '对自己的值，在其账户中',
  sensitive: '敏感',
  sensitiveHint: '不出现在列表、记录和令牌中',
  subjects: '属性所属',
  tenantNew: '声明组织属性',
  type: '类型',
  typeHint: '类型不能更改。',
  userNew: '声明用户属性',
  zh: '中文名称',
}

export const attributeAccess: (typeof en)['attributeAccess'] = {
  none: '无权访问',
  read: '读取',
  write: '读取和写入',
}

export const attributeLimits: (typeof en)['attributeLimits'] = {
  maxItems: '最多项数',
  maxLength: '最多字符数',
  maximum: '最大值',
  minLength: '最少字符数',
  minimum: '最小值',
}

export const attributeTypes: (typeof en)['attributeTypes'] = {
  array: '文本列表',
  boolean: '是或否',
  integer: '整数',
  number: '数字',
  string: '文本',
}
