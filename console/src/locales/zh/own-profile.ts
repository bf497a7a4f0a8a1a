import type { en } from '../en.ts'

/** The fields of the own profile. */
export const ownProfile: (typeof en)['ownProfile'] = {
  choosePicture: '选择头像',
  nicknameHint: '其他人将看到此名称，而不是您的用户名',
  noZone: '没有匹配的时区',
  notPicture: '请选择 PNG、JPEG 或 WebP 文件。此文件无法作为图片读取。',
  pictureRemoved: '头像已移除。',
  pictureSaved: '头像已保存。',
  preferences: '语言和时区',
  preferencesText: '两项设置均保存在此浏览器中。邮件也使用所选语言。',
  removePicture: '移除头像',
  saved: '您的昵称已更改。',
  systemZone: '跟随系统（{{zone}}）',
  timeZone: '时区',
}
