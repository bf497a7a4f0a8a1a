import type { en } from '../en.ts'

export const recovery: (typeof en)['recovery'] = {
  askAgain: '重新申请',
  dead: '此链接无法使用',
  forgotHint: '请输入您账户的邮箱，您将收到用于设置新密码的链接。',
  forgotSubmit: '发送链接',
  newLink: '申请新链接',
  newPassword: '新密码',
  nothing:
    '几分钟后仍未收到邮件？请查看垃圾邮件，并检查邮箱是否正确。您组织的管理员可以告知您账户所用的邮箱。',
  otherAccount: '登录其他账户',
  resetDead: '链接已被使用、已超过 30 分钟，或未完整复制。',
  resetDone: '新密码已设置，请使用新密码登录。',
  resetHint: '您在所有设备上的登录将失效。',
  resetSubmit: '设置密码',
  sent: '请查看您的邮箱',
  sentText: '如果 {{email}} 对应某个账户，链接将发送到该邮箱。链接仅可使用一次，30 分钟内有效。',
  signInFirst: '请先登录此链接所属的账户，然后即可确认其邮箱。',
  toApplication: '前往 {{name}}',
  toProfile: '前往个人资料',
  toSignIn: '返回登录',
  verified: '您的邮箱已确认。',
  verifyDead: '链接已被使用、已超过 24 小时，或未完整复制。您可以在个人资料中重新发送。',
  verifyHint: '仅当您本人注册了此账户或申请了此链接时，才可确认。',
  verifySubmit: '确认邮箱',
}
