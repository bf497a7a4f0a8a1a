import type { en } from '../en.ts'

export { ends, table } from './kit.ts'
export { permissionTexts, scopeTexts, systemRoles } from './permissions.ts'

/** The titles of pages, which links use as well. */
export const places: (typeof en)['places'] = {
  application: '应用',
  applications: '应用',
  flag: '功能开关',
  flags: '功能开关',
  grants: '用户授权',
  resources: '资源',
  approval: '审批请求',
  approvals: '审批',
  attributes: '属性',
  audit: '审计日志',
  catalogue: '权限',
  connection: '连接',
  connections: '单点登录',
  newConnection: '新建连接',
  newProvider: '新建提供方',
  provider: '提供方',
  providers: '登录提供方',
  changePassword: '修改密码',
  createRole: '创建角色',
  createServiceAccount: '创建服务账户',
  createApplication: '创建应用',
  createConnection: '新建连接',
  createFlag: '创建开关',
  createTenant: '创建组织',
  exportUsers: '导出用户',
  createUser: '创建用户',
  createWebhook: '创建 Webhook',
  decisions: '权限查询',
  dashboard: '仪表盘',
  importShort: '导入',
  invitations: '邀请记录',
  invite: '邀请用户',
  notifications: '通知',
  openServiceAccount: '打开服务账户',
  profile: '个人资料',
  reference: 'API 参考',
  review: '访问审查',
  reviews: '访问审查',
  role: '角色',
  roles: '角色',
  serviceAccount: '服务账户',
  serviceAccounts: '服务账户',
  settings: '设置',
  support: '支持',
  supportSession: '支持会话',
  switchTenant: '切换组织',
  template: '角色模板',
  tenant: '组织',
  tenants: '组织',
  user: '用户',
  userImport: '导入用户',
  users: '用户',
  webhook: 'Webhook',
  webhooks: 'Webhook',
}

/** A change of the status of a user. */
export const userStatus = {
  disable: '停用 {{name}}',
  enable: '启用 {{name}}',
  out_one: '已停用 {{name}}，并结束 {{count}} 个会话。',
  out_other: '已停用 {{name}}，并结束 {{count}} 个会话。',
}

/** A role that the session has for some minutes. */
export const elevation = {
  active: '{{role}} 有效至 {{time}}',
  end: '立即结束',
  ended: '角色已结束。',
  title: '启用角色',
}

export const logos = {
  logo: '标志',
  choose: '选择图片',
  hint: 'PNG 或 JPEG，较大的图片会自动缩小。',
  remove: '移除图片',
  wrong: '无法将此文件读取为图片。',
}

/** The page of a resource that does not exist. */
export const missing = {
  title: '未找到{{name}}',
  text: '其内容已被移除，或链接有误。',
  toList: '返回列表',
}
