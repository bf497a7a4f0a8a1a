import type { en } from '../en.ts'

export const grants: (typeof en)['grants'] = {
  about: '此租户的用户已允许以其身份操作的第三方应用',
  application: '应用',
  createdAt: '授权时间',
  none: '尚无授权',
  noneText: '用户允许第三方应用后，将显示在此处。',
  own: '可访问您账户的应用',
  ownNone: '您尚未允许任何应用。',
  ownText: '您已允许以您的身份操作的第三方程序。',
  revoke: '撤销',
  revokeOne: '撤销对 {{name}} 的授权',
  revokeText: '其会话将立即终止，之后须重新请求授权。',
  revokeTitle: '撤销对 {{name}} 的授权？',
  revoked: '已撤销对 {{name}} 的授权。',
  scopes: '范围',
  since: '授权时间：{{moment}}',
  user: '用户',
}
