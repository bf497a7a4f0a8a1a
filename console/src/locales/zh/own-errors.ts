import type { en } from '../en.ts'

export const ownErrors: (typeof en)['ownErrors'] = {
  network: '无法连接到服务。请检查网络后重试。',
  timeout: '服务未及时响应。请重试。',
  storage: '此浏览器无法保存或读取您的会话。请允许此页面存储数据，然后重试。',
  unknown: '无法识别收到的响应：它可能来自中间的其他系统，或此页面版本较旧。请重试，或重新加载页面。',
  partMissing:
    '控制台缺少部分内容，可能是打开页面后控制台已升级。请先保存或复制所需内容，再重试，页面将重新加载。',
  passkeyKnown: '此设备已有您账户的通行密钥。',
  passkeyUnused: '浏览器未提供通行密钥。请重试，或改用其他方式。',
  unexpected: '页面出错，请重新加载。',
  workFailed: '您的浏览器无法完成防机器人验证。请使用新版浏览器通过 https 打开此页面，然后重试。',
}
