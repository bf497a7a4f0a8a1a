import type { enPages } from '../en-pages.ts'

export const memberships: (typeof enPages)['memberships'] = {
  current: '当前所在',
  deleteAccount: '删除我的账户',
  deleteHint: '您将退出所有租户，且无法撤销。',
  deleteTitle: '删除您的账户？',
  erased: '将删除以下内容：',
  erasedAccount: '您的账户，包括密码、第二验证方式和会话',
  erasedForGood: '删除后任何人都无法恢复。各租户的审计日志会保留您的操作记录。',
  erasedUser: '租户“{{name}}”中的用户 {{username}}，包括角色和通知',
  goOnIn: '您将转到 {{name}} 继续。',
  goOnNowhere: '您的其他租户均已停用，因此您将退出登录。',
  leave: '退出',
  leaveOne: '退出 {{name}}',
  leaveText: '您在其中的用户将被删除，包括角色和通知。只有重新受邀才能返回。',
  leaveTitle: '退出 {{name}}？',
  left: '您已退出 {{name}}。',
  only: '这是您唯一的租户。如需退出，请删除账户。',
  text: '您使用同一账户登录所有租户，可在页眉中切换。',
  title: '我的租户',
  username: '用户名：{{username}}',
}
