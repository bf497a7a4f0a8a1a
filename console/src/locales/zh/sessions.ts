import type { enPages } from '../en-pages.ts'

export const sessions: (typeof enPages)['sessions'] = {
  current: '当前设备',
  device: '{{system}} 上的 {{browser}}',
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
