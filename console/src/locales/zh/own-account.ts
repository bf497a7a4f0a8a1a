import type { en } from '../en.ts'

export { permissionTexts, scopeTexts, systemRoles } from './permissions.ts'
export { grants, sessions } from './account.ts'
export { factors } from './factors.ts'
export { recovery, signUp } from './credentials.ts'
export { errors } from './errors.ts'
export { ownErrors } from './own-errors.ts'
export { hosted } from './hosted.ts'
export { common, fieldFaults, fields, passwordFaults, signIn } from './kit.ts'

export const ownAccount: (typeof en)['ownAccount'] = {
  back: '返回 {{name}}',
  backToConsole: '返回控制台',
  changePassword: '修改密码',
  connect: '连接 {{name}}',
  connectText: '您将前往 {{name}} 登录，然后返回此处。之后即可使用它登录。',
  data: '数据',
  devices: '设备',
  identities: '使用其他服务登录',
  identitiesText: '您可以用来在此登录的其他服务的账户。',
  noPassword: '您的账户没有密码。',
  organization: '组织',
  organizations: '组织',
  passwordRemoved: '密码已移除。',
  person: '您的信息',
  personText: '组织中的其他用户可以看到您的名称和头像。',
  profile: '个人资料',
  removeIdentityText: '您将无法再使用它登录，通过它打开的会话也会终止。',
  removePassword: '移除密码',
  removePasswordText: '之后您需要使用其他方式登录。您在其他设备上的登录将全部失效。',
  roles: '您在 {{name}} 的角色',
  setPassword: '设置密码',
  signIn: '登录',
  signOut: '退出登录',
  title: '您的账户',
}

export const memberships: (typeof en)['memberships'] = {
  current: '当前所在',
  deleteAccount: '删除您的账户',
  deleteHint: '您将退出所有组织。此操作无法撤销。',
  deleteTitle: '删除您的账户？',
  erased: '将删除以下内容：',
  erasedAccount: '您的账户，包括密码、两步验证和会话',
  erasedForGood: '删除后无法恢复。审计日志会保留您的操作记录。',
  exportAsk: '文件包含您的账户，以及您在每个组织中的数据。请妥善保管。',
  exportConfirm: '下载',
  exportHint: '包含所有组织中关于您的数据的 JSON 文件，每天最多下载三次。',
  exportTitle: '导出您的数据',
  exported: '您的数据已下载。',
  erasedUser: '组织“{{name}}”中的用户 {{username}}，包括角色和通知',
  goOnIn: '您将进入 {{name}} 继续操作。',
  goOnNowhere: '您的其他组织均已停用，因此您将退出登录。',
  leave: '退出',
  leaveOne: '退出 {{name}}',
  leaveText: '您在该组织的角色和通知将被删除，并失去访问权限。只有重新受邀才能返回。',
  leaveTitle: '退出 {{name}}？',
  left: '您已退出 {{name}}。',
  only: '这是您唯一的组织。如需退出，请删除账户。',
  text: '您使用同一账户登录所有组织。',
  title: '您的组织',
  username: '用户名：{{username}}',
}

export const ownProfile: (typeof en)['ownProfile'] = {
  attributes: '您的资料',
  attributesSaved: '资料已保存。',
  lines: '每行一项。',
  no: '否',
  yes: '是',
  choosePicture: '选择头像',
  nicknameHint: '列表和邀请中会显示昵称而不是用户名，审计日志仍显示用户名。',
  notPicture: '请选择 PNG、JPEG 或 WebP 文件。此文件无法作为图片读取。',
  pictureRemoved: '头像已移除。',
  pictureSaved: '头像已保存。',
  preferences: '语言和时区',
  preferencesText: '此浏览器会记住您的语言和时区。邮件也使用所选语言。',
  removePicture: '移除头像',
  saved: '昵称已保存。',
  systemZone: '跟随系统（{{zone}}）',
  timeZone: '时区',
}

export const profile: (typeof en)['profile'] = {
  changeEmail: '更改邮箱',
  changeEmailText: '系统会向新邮箱发送链接。登录后打开链接并确认，邮箱才会更改。',
  changePasswordText: '您在其他设备上的登录将全部失效。',
  changeSent: '链接已发送至 {{email}}。请在 24 小时内打开并确认，邮箱才会更改。如未收到，请查看垃圾邮件。',
  email: '您的邮箱',
  emailFixed: '此系统不发送邮件，因此只有管理员可以更改您的邮箱。',
  emailText: '用于登录和重置忘记的密码。',
  newEmail: '新邮箱',
  newPassword: '新密码',
  noRoles: '您没有任何角色。',
  oldPassword: '当前密码',
  passwordChanged: '密码已修改。',
  roles: '您的角色',
  sendLink: '发送链接',
  sendVerification: '发送确认链接',
  verificationSent: '如果 {{email}} 尚未确认，链接将发送到该邮箱，24 小时内有效。',
}
