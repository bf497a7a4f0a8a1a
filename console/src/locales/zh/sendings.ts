import type { en } from '../en.ts'

/** Sendings of the caller, and broadcasts. */
export const sendings: (typeof en)['sendings'] = {
  allSent_one: '{{said}} 位用户已收到。',
  allSent_other: '{{said}} 位用户已收到。',
  begin: '发送给所有人',
  description: '您发送给此租户中其他人的消息',
  done: '发送进度',
  everyone: '所有人',
  everyoneHint: '{{tenant}} 的每位用户都会收到，每批 1,000 位。发送后无法撤回。',
  from: '发送者',
  goOn: '继续发送',
  holders: '拥有 {{role}} 的用户',
  keepOpen: '请保持此窗口打开。如果离开，之后可在“我发送的”中继续。',
  mine: '我发送的',
  none: '您尚未在此租户发送任何通知',
  one: '部分用户',
  progress: '{{sent}} / {{total}} 人',
  role: '某个角色',
  roleHint: '拥有此角色的所有用户都会收到。',
  sendingAll: '正在发送：{{sent}} / {{total}} 位用户',
  stopped: '已停止：{{sent}} / {{total}} 位用户已收到。',
  to: '发送给',
  unknown: '未知',
  when: '发送时间',
}
