// Conversations in the languages of the offices, in the format of talk.ts.

export const world = `
a: おはようございます。今日の定例は{time}からです
b: 了解しました。議題は{ticket}と新しい検索画面ですね
a: はい、それと来週のリリース（{version}）の確認もお願いします
c: 資料をここに置きました: https://wiki.example.com/tokyo/{sha}
b: ありがとうございます 🙏

a: 大家早上好！支付接口的文档我更新好了，请看一下
b: 收到，我下午看。{ticket} 也包含在里面吗？
a: 包含，第三节
b: 看完了，只有一个小问题：超时时间写的是{n}秒，实际是60秒
a: 谢谢，已经改了 👍

a: صباح الخير، هل اكتملت ترجمة صفحة الإعدادات؟
b: نعم، بقيت ثلاث جمل فقط، وسأنهيها اليوم
a: ممتاز. انتبه إلى أن الأرقام مثل {ticket} تظهر من اليسار إلى اليمين
b: جرّبتها في ''{host}'' وتظهر بشكل صحيح 👌

a: Buenos días ☕ ¿Alguien puede revisar {pr} antes de las {time}?
b: Yo, dame {n} minutos
b: Revisado: dos comentarios pequeños, lo demás muy bien
a: ¡Gracias! Ya están corregidos

a: Guten Morgen, die Übersetzung von „Benachrichtigungsschwellenwert“ sprengt den Knopf
b: 😄 „Schwelle“ reicht, der Rest steht ja darüber
a: passt auf den Pixel genau
c: Deutsch ist der beste Belastungstest für Layouts

a: בוקר טוב! המסך החדש עובד מצוין מימין לשמאל
b: תודה שבדקת 🙂 גם שמות קבצים באנגלית נראים טוב?
a: כן, חוץ ממקרה אחד: report-{version}.pdf. פתחתי את {ticket}

a: Bonjour ! La démo pour {customer} est à {time}, tout est prêt ?
b: Oui, l'environnement tourne sur ''{host}''
a: Parfait. On garde {n} minutes pour les questions
b: D'accord, je prends des notes

a: नमस्ते, क्या {day} की बैठक आगे बढ़ सकती है?
b: हाँ, {time} ठीक रहेगा
a: धन्यवाद 🙏

a: 안녕하세요, 모바일 로그 확인해 주실 수 있나요? {ticket}
b: 네, 확인했습니다. 배터리 절약 모드에서만 발생하네요
a: 역시 빠르시네요 감사합니다!

a: Привет! Кто-нибудь видел ошибку {ticket} на ''{host}''?
b: да, она появляется только при пустом списке. Исправление в {pr}
a: спасибо, проверила, теперь всё работает

a: which of our languages is the hardest to fit?
b: German in width, Thai in height, Arabic in direction
c: and English in ambiguity 🙂
`
