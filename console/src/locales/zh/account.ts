import type { en } from '../en.ts'

export { factors, recovery } from './credentials.ts'

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

export const sessions: (typeof en)['sessions'] = {
  ofApplication: '在应用 {{name}} 中',
  ofBrowser: '此浏览器保持登录各应用',
  current: '当前设备',
  end: '退出登录',
  endAll: '全部退出登录',
  endAllText: '此用户的所有会话将立即终止，之后可重新登录。',
  endAllTitle: '让 {{name}} 在所有设备上退出登录？',
  endOf: '在 {{device}} 上退出登录',
  endOthers: '退出其他所有设备',
  endOthersText: '您的其他会话将立即终止，当前设备保持登录。',
  endOthersTitle: '在其他所有设备上退出登录？',
  ended: '该设备已退出登录。',
  none: '此用户未在任何设备上登录。',
  ofUser: '登录的设备',
  othersEnded: '其他所有设备已退出登录。',
  own: '您的登录设备',
  ownText: '如有不认识的设备，请将其退出登录并修改密码。',
  since: '登录时间：{{moment}}',
  unknownDevice: '未知设备',
  used: '最近使用：{{ago}}',
  userEnded: '{{name}} 已在所有设备上退出登录。',
}
