import type { en } from '../en.ts'

export const profile: (typeof en)['profile'] = {
  again: '再次输入新密码',
  changeEmail: '更改邮箱',
  changeEmailText: '系统会向新邮箱发送链接。在您登录后打开链接并确认之前，一切保持不变。',
  changePasswordText: '您在其他设备上的登录将全部失效。',
  changeSent:
    '链接已发往 {{email}}。请在 24 小时内打开并确认，之后您的邮箱才会更改。如未收到，请查看垃圾邮件。',
  email: '我的邮箱',
  emailFixed: '此系统不发送邮件，因此只有管理员可以更改您的邮箱。',
  emailText: '您使用此邮箱登录；忘记密码时，重置链接也会发送到此邮箱。',
  newEmail: '新邮箱',
  newPassword: '新密码',
  noRoles: '您没有任何角色。',
  oldPassword: '当前密码',
  passwordChanged: '密码已修改。',
  passwordsDiffer: '两次输入不一致',
  permissions_one: '{{count}} 项权限',
  permissions_other: '{{count}} 项权限',
  roles: '我的角色',
  sendLink: '发送链接',
  sendVerification: '重新发送确认链接',
  verificationSent: '如果 {{email}} 尚未确认，链接将发送到该邮箱，24 小时内有效。',
  security: '安全',
  sessions: '会话',
  preferences: '偏好设置',
}
