import { describe, expect, test } from "vitest";
import { detectLanguage, languageOfDocument } from "./detect-language.ts";

const texts: Record<string, string> = {
  en: "Close the valve before you start the pump. The temperature must not be above 80 °C, and the pressure is checked with the gauge on the wall. If it is not, stop and call.",
  de: "Schließen Sie das Ventil, bevor die Anlage gestartet wird. Die Temperatur darf nicht über 80 °C steigen, und der Druck ist mit dem Manometer an der Wand zu prüfen.",
  fr: "Fermez la vanne avant de démarrer la pompe. La température ne doit pas dépasser 80 °C, et la pression est contrôlée avec le manomètre sur le mur pour les opérateurs.",
  es: "Cierre la válvula antes de arrancar la bomba. La temperatura no debe pasar de 80 °C, y la presión se controla con el manómetro de la pared por los operarios.",
  pt: "Feche a válvula antes de ligar a bomba. A temperatura não deve passar de 80 °C, e a pressão é verificada com o manómetro da parede pelos operadores em cada turno.",
  it: "Chiudere la valvola prima di avviare la pompa. La temperatura non deve superare gli 80 °C, e la pressione è controllata con il manometro sulla parete per ogni turno.",
  nl: "Sluit de klep voordat je de pomp start. De temperatuur mag niet boven 80 °C komen en de druk wordt met de meter aan de muur gecontroleerd door het personeel.",
  pl: "Zamknij zawór przed uruchomieniem pompy. Temperatura nie może być wyższa niż 80 °C, a ciśnienie należy sprawdzić na manometrze, który jest na ścianie przy wejściu do hali.",
  ru: "Закройте клапан до запуска насоса. Температура не должна быть выше 80 °C, а давление проверяют по манометру на стене, и это делает оператор при каждом пуске и после него.",
  ar: "أغلق الصمام قبل تشغيل المضخة عند 80 °C",
  fa: "شیر را پیش از روشن کردن پمپ ببندید و دما را در گزارش بنویسید",
  he: "סגור את השסתום לפני הפעלת המשאבה",
  ja: "ポンプを始動する前に弁を閉めてください",
  zh: "启动泵之前请关闭阀门并记录温度",
  ko: "펌프를 시작하기 전에 밸브를 닫으십시오",
  th: "ปิดวาล์วก่อนเริ่มปั๊ม",
  vi: "Đóng van trước khi khởi động bơm. Nhiệt độ không được vượt quá 80 °C, và áp suất phải được kiểm tra bằng đồng hồ trên tường.",
  el: "Κλείστε τη βαλβίδα πριν ξεκινήσετε την αντλία",
};

describe("the language of a text", () => {
  test.each(Object.entries(texts))("%s", (lang, text) => {
    expect(detectLanguage(text)).toBe(lang);
  });

  test.each([
    ["a few words", "Stop das Ventil"],
    ["codes and numbers", "AB-1200 7 bar 80 °C V7 T1 K2 M4 X9 ".repeat(10)],
    ["code in another text", "```\nthe and of to is in for with that be\n```\n".repeat(5)],
    ["nothing", ""],
  ])("isn't guessed from %s", (_, text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });

  test.each([
    ["de", "Ventil prüfen", "Das Ventil schließen und den Druck ablesen."],
    ["de", "Notfallplan", "Bei Feuer die 112 rufen und das Gebäude verlassen."],
    ["fr", "Plan d’urgence", "En cas d’incendie, appelez le 112 et quittez le bâtiment."],
    ["es", "Revisar la válvula", "Cierre la válvula y lea la presión."],
    ["pt", "Verificar a válvula", "Feche a válvula e leia a pressão."],
    ["it", "Lavaggio delle mani", "Lavarsi le mani con il sapone prima di ogni lavoro."],
    ["nl", "Noodplan", "Bel bij brand 112 en verlaat het gebouw."],
    ["sv", "Nödplan", "Ring 112 vid brand och lämna byggnaden."],
    ["pl", "Mycie rąk", "Umyj ręce mydłem przed każdą pracą."],
    ["ko", "펌프", "시작"],
    ["ko", "밸브 V7", "Valve V7 밸브를 닫으십시오. SOP-0042"],
    ["ja", "手洗い", "手を洗う。"],
    ["ja", "洗浄手順", "SOP-0042 弁を閉める。"],
    ["vi", "Rửa tay", "Rửa tay bằng xà phòng trước mỗi công việc."],
    ["vi", "Khởi động bơm", "Đóng van V7, ghi nhiệt độ."],
    ["th", "ล้างมือ", "ล้างมือด้วยสบู่"],
    ["el", "Πλύσιμο χεριών", "Πλύνετε τα χέρια."],
    ["he", "שטיפת ידיים", "שטוף ידיים."],
    ["hy", "Ձեռքերի լվացում", "Լվացեք ձեռքերը։"],
    ["ka", "ხელების დაბანა", "დაიბანეთ ხელები."],
    ["en", "Hand washing", "Wash your hands with soap before each task."],
  ])("is found in a short text with its title: %s, %s", (lang, title, markdown) => {
    expect(languageOfDocument({ lang: null, title, markdown })).toBe(lang);
    expect(languageOfDocument({ lang: "x-own", title, markdown })).toBe("x-own");
  });

  test.each([
    ["an English text with a foreign name", "Que sera\n\nThe song of the day is Les Misérables."],
    ["English words that are frequent elsewhere", "Die casting machine\n\nClose the die. Start the die heater."],
    ["Danish or Norwegian", "Vask hender\n\nVask hendene med såpe før hver oppgave."],
    ["Chinese characters alone, which Japanese has too", "洗浄手順"],
    ["Chinese with a borrowed kana", "鲜の味"],
    ["English with a few foreign words", "The 東京 office and カメラ"],
    ["an English text with a Korean name", "Smart TV 텔레비전\n\nUse the remote before each task."],
    [
      "an English text with a Vietnamese name",
      "Call Nguyễn Văn Đức\n\nThe phở của mẹ menu lies beside the phone here.",
    ],
    ["one name", "Müller GmbH & Co. KG"],
  ])("isn't guessed from %s", (_, text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });
});
